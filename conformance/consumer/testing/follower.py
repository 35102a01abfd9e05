"""
A follower of the feed in Python without libraries. Without arguments, it is careful. Arguments change what it does:

  wait=FIRST*FACTOR<MOST  seconds that it waits before the next attempt (default 0.02*2<5); +jitter: a random part of that
  waits=SECONDS,...       the waits one after the other, as if they were random
  pings                   asks each second whether the server is alive, beside its other requests
  slow=SECONDS            takes this time to start
  idle                    sends no request
  greets                  asks for the greeting of the server first, which needs no password
  undecoded               does not decode the credentials of its URL, and prints them encoded once more
  login                   logs in before each attempt, so that each takes two requests; login=once: only at its start
  gzip, deflate           logs in with a compressed body
  quiet                   does not flush its output
  words                   prints words instead of JSON
  deaf                    does not notice that a connection is silent
  redirects               follows redirects with its credentials
  stranger                has a wrong password
  all                     reads everything again at its start, and has no checkpoint
  two                     follows the feed on two connections
  gives-up=N              ends itself after this number of attempts without a row
  ends                    does nothing more when a feed has ended
"""
import base64, gzip, http.client, json, os, random, re, sys, threading, time, zlib
from urllib.parse import quote, unquote, urlsplit

options = sys.argv[1:]
url = urlsplit(os.environ['DOCFEED_DATABASE_URL'])
name, password = unquote(url.username), unquote(url.password)
if 'undecoded' in options:
    name, password = url.username, url.password
    print(quote(unquote(password), safe='/:+'), file=sys.stderr)
if 'stranger' in options:
    password = 'wrong'
checkpoint = os.path.join(os.environ['DOCFEED_STATE'], 'since')
first, factor, most = [float(number) for number in re.match(r'wait=(.+)\*(.+)<([\d.]+)', next(
    (option for option in options if option.startswith('wait=')), 'wait=0.02*2<5')).groups()]
waits = [float(seconds) for option in options if option.startswith('waits=') for seconds in option[6:].split(',')]
jitter = any(option.endswith('+jitter') for option in options)
# Docfeed sets PYTHONUNBUFFERED, so only a buffer of its own keeps what it prints.
out = open(1, 'w', buffering=1 << 20) if 'quiet' in options else sys.stdout
lock = threading.Lock()
session = None


def send(method, path, headers={}, body=None, host=url.netloc.rpartition('@')[2]):
    connection = http.client.HTTPConnection(host, timeout=None if 'deaf' in options else 3.5)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    if response.status in (302, 307) and 'redirects' in options:
        to = urlsplit(response.getheader('location'))
        return send(method, f'{to.path}?{to.query}', headers, body, to.netloc)
    if response.status != 200:
        raise Exception(f'{path} answers {response.status}')
    return response


def log_in():
    body = json.dumps({'name': name, 'password': password}).encode()
    headers = {'content-type': 'application/json'}
    for coding, encode in [('gzip', gzip.compress), ('deflate', zlib.compress)]:
        if coding in options:
            body, headers['content-encoding'] = encode(body), coding
    cookies = send('POST', '/_session', headers, body).headers.get_all('set-cookie')
    return {'cookie': next(text for text in cookies if text.startswith('AuthSession=')).split(';')[0]}


def credentials():
    global session
    if 'login' in options:
        return log_in()
    if 'login=once' in options:
        session = session or log_in()
        return session
    return {'authorization': 'Basic ' + base64.b64encode(f'{name}:{password}'.encode()).decode()}


def read_since():
    if 'all' in options or not os.path.exists(checkpoint):
        return 0
    with open(checkpoint) as file:
        return json.load(file)


def write_since(seq):
    with open(checkpoint + '.new', 'w') as file:
        json.dump(seq, file)
    os.replace(checkpoint + '.new', checkpoint)


def follow(since, on_row):
    text = since if isinstance(since, str) else json.dumps(since)
    query = f'feed=continuous&heartbeat=1000&style=all_docs&include_docs=true&since={quote(text, safe="")}'
    feed = send('GET', f'{url.path}/_changes?{query}', credentials())
    for line in feed:
        if not line.endswith(b'\n'):
            raise Exception('the line is cut')
        row = json.loads(line) if line.strip() else {}
        if 'id' in row:
            known = {'id': row['id'], 'rev': row['doc']['_rev'], 'deleted': row.get('deleted', False)}
            with lock:
                print('a row' if 'words' in options else json.dumps(known), file=out)
                on_row(row['seq'])


def run(has_checkpoint):
    since, attempts = read_since(), 0

    def on_row(seq):
        nonlocal since, attempts
        since, attempts = seq, 0
        if has_checkpoint:
            write_since(seq)

    while True:
        try:
            follow(since, on_row)
        except Exception as error:
            print(error, file=sys.stderr)
            if 'answers 400' in str(error):
                since = 0
        if 'ends' in options:
            threading.Event().wait()
        longest = min(first * factor ** attempts, most)
        if waits:
            longest = waits[min(attempts, len(waits) - 1)]
        time.sleep(random.uniform(0, longest) if jitter else longest)
        attempts += 1
        if f'gives-up={attempts}' in options:
            sys.exit(1)


def ping():
    while True:
        time.sleep(1)
        try:
            send('GET', '/')
        except Exception:
            pass


for option in options:
    if option.startswith('slow='):
        time.sleep(float(option[5:]))
if 'idle' in options:
    threading.Event().wait()
if 'greets' in options:
    send('GET', '/')
if 'pings' in options:
    threading.Thread(target=ping, daemon=True).start()
if 'two' in options:
    threading.Thread(target=run, args=[False], daemon=True).start()
run(True)
