"""The call with the client that openapi-generator makes for Python."""

import sys

import couch

url, password = sys.argv[1:]
client = couch.ApiClient(couch.Configuration(host=url, username="admin", password=password))
couch.DatabasesApi(client).put_database("inventory")

documents = couch.DocumentsApi(client)
written = documents.put_document("inventory", "chair", couch.DocumentInput.from_dict({"legs": 4}))
assert written.ok and written.rev.startswith("1-"), written
docs = [{"_id": "desk", "legs": 3}, {"_id": "chair", "legs": 5}]
results = documents.bulk_docs("inventory", couch.BulkDocsRequest.from_dict({"docs": docs}))
assert [one.error for one in results] == [None, "conflict"], results
assert documents.get_document("inventory", "chair").to_dict()["legs"] == 4

changes = couch.ChangesApi(client).get_changes("inventory", include_docs=True)
assert sorted(row.id for row in changes.results) == ["chair", "desk"], changes

credentials = couch.Credentials(name="admin", password=password)
session = couch.AuthenticationApi(client).post_session(credentials)
assert session.ok and session.name == "admin", session
