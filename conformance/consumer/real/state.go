// What the consumers of Go in this folder share: the checkpoint, and how they say what they know.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

var (
	origin   = os.Getenv("DOCFEED_ORIGIN")
	database = os.Getenv("DOCFEED_DATABASE")
	username = os.Getenv("DOCFEED_USERNAME")
	password = os.Getenv("DOCFEED_PASSWORD")
	selector = os.Getenv("DOCFEED_SELECTOR")
	// A checkpoint belongs to the selector.
	file = filepath.Join(os.Getenv("DOCFEED_STATE"), fmt.Sprintf("since-%x", sha256.Sum256([]byte(selector))))
)

func readSince(initial string) string {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return initial
	}
	must(err)
	return string(text)
}

func writeSince(seq string) {
	must(os.WriteFile(file+".new", []byte(seq), 0o600))
	must(os.Rename(file+".new", file))
}

// known is what a consumer says. Consumers that read all leaves say them.
type known struct {
	ID      string   `json:"id"`
	Rev     string   `json:"rev"`
	Deleted bool     `json:"deleted"`
	Leaves  []string `json:"leaves,omitempty"`
}

func say(what known) {
	line, err := json.Marshal(what)
	must(err)
	fmt.Println(string(line))
}

// pauses grow until there is a row, for libraries that leave it to the application to try again.
type pauses struct{ attempts int }

func (p *pauses) reset() { p.attempts = 0 }

func (p *pauses) pause() {
	p.attempts++
	time.Sleep(min(20*time.Millisecond<<min(p.attempts, 10), 5*time.Second))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
