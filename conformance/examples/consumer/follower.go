// A consumer of the changes feed that survives everything that the rules allow, without libraries. It prints what it
// knows, one line of JSON for each change: replace `work` by what your consumer does.
//
//	go build follower.go && docfeed consumer -- ./follower
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const heartbeat = time.Second

var (
	feedURL = os.Getenv("DOCFEED_ORIGIN") + "/" + url.PathEscape(os.Getenv("DOCFEED_DATABASE")) + "/_changes?"
	// With a selector, the consumer follows only documents that match it.
	selector       = os.Getenv("DOCFEED_SELECTOR")
	checkpointFile = filepath.Join(os.Getenv("DOCFEED_STATE"), "checkpoint.json")
)

// A redirect is an error: it could lead to another host, which must not get the password.
var client = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// A position in the feed of one selector means nothing in that of another.
type checkpoint struct {
	// Any JSON value, which only the server understands.
	Since    json.RawMessage `json:"since"`
	Selector string          `json:"selector"`
}

type row struct {
	Seq     json.RawMessage `json:"seq"`
	ID      *string         `json:"id"`
	Deleted bool            `json:"deleted"`
	Changes []struct {
		Rev string `json:"rev"`
	} `json:"changes"`
	Doc struct {
		Rev string `json:"_rev"`
	} `json:"doc"`
}

type refusal struct {
	status     int
	retryAfter time.Duration
}

func (r refusal) Error() string { return fmt.Sprintf("the server answers %d", r.status) }

func main() {
	since := readCheckpoint()
	// Time to wait before the next attempt; a row makes it short again.
	pause := 10 * time.Millisecond
	for {
		err := follow(since, func(next row) {
			// Works first and moves the checkpoint afterwards: after a crash, rows come again, and none is lost.
			work(next)
			since = next.Seq
			writeCheckpoint(since)
			pause = 10 * time.Millisecond
		})
		fmt.Fprintln(os.Stderr, err)
		if refused, ok := err.(refusal); ok {
			// The database was created again, so no earlier position means anything.
			if refused.status == http.StatusBadRequest {
				since = json.RawMessage("0")
			}
			time.Sleep(refused.retryAfter)
		}
		time.Sleep(pause)
		pause = min(2*pause, 5*time.Second)
	}
}

// follow returns when the feed ends, which may happen at any time, also without a row.
func follow(since json.RawMessage, take func(row)) error {
	// A connection that is silent for so long is dead, although nobody has closed it.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	silence := time.AfterFunc(3*heartbeat, cancel)
	defer silence.Stop()
	body, err := openFeed(ctx, since)
	if err != nil {
		return err
	}
	defer body.Body.Close()
	lines := bufio.NewReader(alive{body, silence})
	for {
		// Whoever cuts the connection may cut a line, which then ends without a line feed.
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return err
		}
		// An empty line is a heartbeat.
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var next row
		if err := json.Unmarshal(line, &next); err != nil {
			return err
		}
		// The object at the end of a feed has no id.
		if next.ID != nil {
			take(next)
		}
	}
}

func openFeed(ctx context.Context, since json.RawMessage) (*http.Response, error) {
	text := string(since)
	// A string goes without its quotes.
	_ = json.Unmarshal(since, &text)
	query := url.Values{
		"feed":         {"continuous"},
		"heartbeat":    {strconv.FormatInt(heartbeat.Milliseconds(), 10)},
		"style":        {"all_docs"},
		"include_docs": {"true"},
		"since":        {text},
	}
	method, body := http.MethodGet, ""
	if selector != "" {
		query.Set("filter", "_selector")
		method, body = http.MethodPost, `{"selector":`+selector+`}`
	}
	request, err := http.NewRequestWithContext(ctx, method, feedURL+query.Encode(), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.SetBasicAuth(os.Getenv("DOCFEED_USERNAME"), os.Getenv("DOCFEED_PASSWORD"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil || response.StatusCode == http.StatusOK {
		return response, err
	}
	response.Body.Close()
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return nil, refusal{response.StatusCode, time.Duration(seconds) * time.Second}
}

// alive is a body whose bytes show that the connection lives.
type alive struct {
	*http.Response
	silence *time.Timer
}

func (a alive) Read(buffer []byte) (int, error) {
	count, err := a.Body.Read(buffer)
	a.silence.Reset(3 * heartbeat)
	return count, err
}

// work must give the same result each time: the same row may come several times, in any order with others.
func work(next row) {
	leaves := []string{}
	for _, change := range next.Changes {
		leaves = append(leaves, change.Rev)
	}
	known := map[string]any{"id": next.ID, "rev": next.Doc.Rev, "deleted": next.Deleted, "leaves": leaves}
	line, err := json.Marshal(known)
	must(err)
	fmt.Println(string(line))
}

func readCheckpoint() json.RawMessage {
	text, err := os.ReadFile(checkpointFile)
	if os.IsNotExist(err) {
		return json.RawMessage("0")
	}
	must(err)
	var stored checkpoint
	must(json.Unmarshal(text, &stored))
	if stored.Selector != selector {
		return json.RawMessage("0")
	}
	return stored.Since
}

func writeCheckpoint(since json.RawMessage) {
	text, err := json.Marshal(checkpoint{since, selector})
	must(err)
	must(os.WriteFile(checkpointFile+".new", text, 0o600))
	must(os.Rename(checkpointFile+".new", checkpointFile))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
