// Follows the database with the ChangesFollower of cloudant-go-sdk, which keeps trying.
package main

import (
	"encoding/json"

	"github.com/IBM/cloudant-go-sdk/auth"
	"github.com/IBM/cloudant-go-sdk/cloudantv1"
	"github.com/IBM/cloudant-go-sdk/features"
)

func main() {
	authenticator, err := auth.NewCouchDbSessionAuthenticator(username, password)
	must(err)
	client, err := cloudantv1.NewCloudantV1(&cloudantv1.CloudantV1Options{URL: origin, Authenticator: authenticator})
	must(err)
	options := client.NewPostChangesOptions(database).SetSince(readSince("0")).SetIncludeDocs(true)
	if selector != "" {
		var parsed map[string]any
		must(json.Unmarshal([]byte(selector), &parsed))
		options.SetFilter("_selector").SetSelector(parsed)
	}
	follower, err := features.NewChangesFollower(client, options)
	must(err)
	rows, err := follower.Start()
	must(err)
	for row := range rows {
		item, err := row.Item()
		must(err)
		say(known{ID: *item.ID, Rev: *item.Doc.Rev, Deleted: item.Deleted != nil && *item.Deleted})
		writeSince(*item.Seq)
	}
}
