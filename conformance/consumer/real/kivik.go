// Follows the database with DB.Changes of kivik, in a loop, as that ends with its connection.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/go-kivik/kivik/v4"
	"github.com/go-kivik/kivik/v4/couchdb"
)

func main() {
	var waits pauses
	for {
		fmt.Fprintln(os.Stderr, follow(&waits))
		waits.pause()
	}
}

func follow(waits *pauses) error {
	client, err := kivik.New("couch", origin, couchdb.BasicAuth(username, password))
	if err != nil {
		return err
	}
	defer client.Close()
	rows := client.DB(database).Changes(context.Background(), kivik.Params(map[string]any{
		"feed": "continuous", "since": readSince("0"), "heartbeat": 1000, "style": "all_docs", "include_docs": true,
	}))
	defer rows.Close()
	for rows.Next() {
		waits.reset()
		var doc struct {
			Rev string `json:"_rev"`
		}
		if err := rows.ScanDoc(&doc); err != nil {
			return err
		}
		say(known{rows.ID(), doc.Rev, rows.Deleted(), rows.Changes()})
		writeSince(rows.Seq())
	}
	return rows.Err()
}
