#!/usr/bin/env python3
"""
A consumer of the changes feed that survives everything that the rules allow, without libraries. It prints what it
knows, one line of JSON for each change: replace `work` by what your consumer does.

    docfeed consumer -- python3 follower.py
"""
import base64
import http.client
import json
import os
import sys
import time
from urllib.parse import quote, urlencode, urlsplit

origin = urlsplit(os.environ['DOCFEED_ORIGIN'])
Connection = http.client.HTTPSConnection if origin.scheme == 'https' else http.client.HTTPConnection
feed_path = f"/{quote(os.environ['DOCFEED_DATABASE'], safe='')}/_changes"
login = f"{os.environ['DOCFEED_USERNAME']}:{os.environ['DOCFEED_PASSWORD']}"
# With a selector, the consumer follows only documents that match it.
selector = os.environ.get('DOCFEED_SELECTOR')
checkpoint_file = os.path.join(os.environ['DOCFEED_STATE'], 'checkpoint.json')
heartbeat_s = 1

headers = {
    'authorization': 'Basic ' + base64.b64encode(login.encode()).decode(),
    'content-type': 'application/json',
}


class Refused(Exception):
    def __init__(self, status, retry_after):
        super().__init__(f'the server answers {status}')
        self.status = status
        self.retry_after = retry_after


def open_feed(since):
    """A redirect is an error: it could lead to another host, which must not get the password."""
    query = {
        'feed': 'continuous',
        'heartbeat': 1000 * heartbeat_s,
        'style': 'all_docs',
        'include_docs': 'true',
        # Any JSON value, which only the server understands.
        'since': since if isinstance(since, str) else json.dumps(since),
    }
    if selector:
        query['filter'] = '_selector'
    # A connection that is silent for so long is dead, although nobody has closed it.
    connection = Connection(origin.netloc, timeout=3 * heartbeat_s)
    body = f'{{"selector":{selector}}}' if selector else None
    connection.request('POST' if selector else 'GET', f'{feed_path}?{urlencode(query)}', body, headers)
    response = connection.getresponse()
    if response.status != 200:
        retry_after = response.getheader('retry-after', '0')
        connection.close()
        raise Refused(response.status, int(retry_after) if retry_after.isdigit() else 0)
    return response


def rows_of(feed):
    """Ends when the feed ends, which may happen at any time, also without a row."""
    for line in feed:
        # Whoever cuts the connection may cut a line.
        if not line.endswith(b'\n'):
            return
        # An empty line is a heartbeat, and the object at the end of a feed has no id.
        value = json.loads(line) if line.strip() else {}
        if 'id' in value:
            yield value


def work(row):
    """The same row may come several times, in any order with others, so this must give the same result each time."""
    known = {
        'id': row['id'],
        'rev': row['doc']['_rev'],
        'deleted': row.get('deleted', False),
        'leaves': [change['rev'] for change in row['changes']],
    }
    # Without flush, Python keeps the line.
    print(json.dumps(known), flush=True)


def read_checkpoint():
    try:
        with open(checkpoint_file, encoding='utf-8') as file:
            checkpoint = json.load(file)
    except FileNotFoundError:
        return 0
    # A position in the feed of one selector means nothing in that of another.
    return checkpoint['since'] if checkpoint['selector'] == selector else 0


def write_checkpoint(since):
    with open(f'{checkpoint_file}.new', 'w', encoding='utf-8') as file:
        json.dump({'since': since, 'selector': selector}, file)
    os.replace(f'{checkpoint_file}.new', checkpoint_file)


since = read_checkpoint()
# Number of attempts since the last row.
attempts = 0
while True:
    attempts += 1
    try:
        for row in rows_of(open_feed(since)):
            # Works first and moves the checkpoint afterwards: after a crash, rows come again, and none is lost.
            work(row)
            since = row['seq']
            write_checkpoint(since)
            attempts = 0
    except Refused as error:
        print(error, file=sys.stderr)
        # The database was created again, so no earlier position means anything.
        if error.status == 400:
            since = 0
        time.sleep(error.retry_after)
    except (OSError, http.client.HTTPException) as error:
        print(error, file=sys.stderr)
    time.sleep(min(0.01 * 2 ** min(attempts, 10), 5))
