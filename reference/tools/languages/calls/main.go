// The call with the client that oapi-codegen makes.
package main

import (
	"call/couch"
	"context"
	"net/http"
	"os"
)

func must(what string, holds bool, err error) {
	if err != nil {
		panic(err)
	}
	if !holds {
		panic(what)
	}
}

func main() {
	url, password := os.Args[1], os.Args[2]
	ctx := context.Background()
	asAdmin := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth("admin", password)
		return nil
	}
	client, err := couch.NewClientWithResponses(url, couch.WithRequestEditorFn(asAdmin))
	must("client", client != nil, err)
	created, err := client.PutDatabaseWithResponse(ctx, "inventory", nil)
	must("database", created.JSON201 != nil && created.JSON201.Ok, err)

	legs := map[string]interface{}{"legs": 4}
	written, err := client.PutDocumentWithResponse(ctx, "inventory", "chair", nil, couch.DocumentInput{AdditionalProperties: legs})
	must("write", written.JSON201 != nil && written.JSON201.Id == "chair", err)
	desk, chair := "desk", "chair"
	docs := []couch.DocumentInput{{UnderscoreId: &desk}, {UnderscoreId: &chair}}
	bulk, err := client.BulkDocsWithResponse(ctx, "inventory", nil, couch.BulkDocsRequest{Docs: docs})
	must("_bulk_docs", bulk.JSON201 != nil && *(*bulk.JSON201)[1].Error == "conflict", err)
	document, err := client.GetDocumentWithResponse(ctx, "inventory", "chair", nil)
	must("read", document.JSON200 != nil && document.JSON200.AdditionalProperties["legs"] == 4.0, err)

	changes, err := client.GetChangesWithResponse(ctx, "inventory", nil)
	must("_changes", changes.JSON200 != nil && len(changes.JSON200.Results) == 2, err)

	name := "admin"
	session, err := client.PostSessionWithResponse(ctx, nil, couch.Credentials{Name: &name, Password: password})
	must("login", session.JSON200 != nil && session.JSON200.Ok, err)
}
