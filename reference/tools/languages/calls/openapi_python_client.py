"""The call with the client that openapi-python-client makes."""

import base64
import sys

from couch import AuthenticatedClient, models
from couch.api.authentication import post_session
from couch.api.changes import get_changes
from couch.api.databases import put_database
from couch.api.documents import bulk_docs, get_document, put_document

url, password = sys.argv[1:]
token = base64.b64encode(f"admin:{password}".encode()).decode()
client = AuthenticatedClient(base_url=url, token=token, prefix="Basic")
assert put_database.sync("inventory", client=client).ok

chair = models.DocumentInput.from_dict({"legs": 4})
assert put_document.sync("inventory", "chair", client=client, body=chair).ok
docs = [{"_id": "desk", "legs": 3}, {"_id": "chair", "legs": 5}]
request = models.BulkDocsRequest.from_dict({"docs": docs})
results = bulk_docs.sync("inventory", client=client, body=request)
assert results[1].error == "conflict", results
assert get_document.sync("inventory", "chair", client=client).to_dict()["legs"] == 4

changes = get_changes.sync("inventory", client=client)
assert sorted(row.id for row in changes.results) == ["chair", "desk"], changes

credentials = models.Credentials(name="admin", password=password)
assert post_session.sync(client=client, body=credentials).ok
