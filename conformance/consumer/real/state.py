"""What the consumers of Python in this folder share: the checkpoint, and how they say what they know."""
import hashlib
import json
import os
import sys

origin = os.environ['DOCFEED_ORIGIN']
database = os.environ['DOCFEED_DATABASE']
username = os.environ['DOCFEED_USERNAME']
password = os.environ['DOCFEED_PASSWORD']

_selector = os.environ.get('DOCFEED_SELECTOR', 'null')
selector = json.loads(_selector)
# A checkpoint belongs to the selector.
_file = os.path.join(os.environ['DOCFEED_STATE'], 'since-' + hashlib.sha256(_selector.encode()).hexdigest())


def read_since(initial):
    try:
        with open(_file, encoding='utf-8') as file:
            return json.load(file)
    except FileNotFoundError:
        return initial


def write_since(seq):
    with open(f'{_file}.new', 'w', encoding='utf-8') as file:
        json.dump(seq, file)
    os.replace(f'{_file}.new', _file)


def say(id, rev, deleted, leaves=None):
    """Consumers that read all leaves say them."""
    known = {'id': id, 'rev': rev, 'deleted': bool(deleted)}
    print(json.dumps(known if leaves is None else {**known, 'leaves': leaves}), flush=True)


def complain(error):
    print(type(error).__name__, error, file=sys.stderr, flush=True)


class Pauses:
    """Pauses that grow until there is a row, for libraries that leave it to the application to try again."""

    def __init__(self):
        self._attempts = 0

    def reset(self):
        self._attempts = 0

    def next_s(self):
        self._attempts += 1
        return min(0.02 * 2 ** min(self._attempts, 10), 5)
