"""Follows the database with the ChangesFollower of ibmcloudant, which keeps trying."""
import os

from ibmcloudant.cloudant_v1 import CloudantV1
from ibmcloudant.couchdb_session_authenticator import CouchDbSessionAuthenticator
from ibmcloudant.features.changes_follower import ChangesFollower
from state import complain, database, origin, password, read_since, say, selector, username, write_since

service = CloudantV1(authenticator=CouchDbSessionAuthenticator(username, password))
service.set_service_url(origin)
options = {'filter': '_selector', 'selector': selector} if selector else {}
follower = ChangesFollower(service=service, db=database, since=read_since('0'), include_docs=True, **options)
try:
    for row in follower.start():
        say(row.id, row.doc._rev, row.deleted)
        # What its documentation recommends for a checkpoint.
        write_since(follower.latest_sequence_from(row.seq))
except BaseException as error:
    complain(error)
    # Its thread would keep the process alive.
    os._exit(1)
