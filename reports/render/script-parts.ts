/** What every script of a counterexample begins with, beside its own requests: functions of bash, and of jq. */

/**
 * Reads responses, one a line as `{status, type, cookies, text}`, and writes them in a form in which two are equal if
 * they say the same: names of the run, sequences, revisions and cookies have other values every time.
 *
 * Nothing is lost that a verdict can hang on. Sequences keep their type, and which of them are equal within a response;
 * revisions keep their generation and which of them are equal, and a line at the end says in what order those of one
 * document are. Those that the requests give stay as they are.
 */
export const normal = String.raw`
# $run: digits in the names of this run; $sent: revisions that the requests give.
def secret: IN("password", "token", "derived_key", "salt", "password_sha", "stored_key", "totp");
def renamed: split("-\($run)-") | join("-{run}-");
def plain: walk(
  if type == "string" then renamed
  elif type == "object" then with_entries(.key |= renamed | if .key | secret then .value = "[redacted]" else . end)
  else . end);
def place($all): . as $one | $all | map(. == $one) | index(true);
def sequences: if type == "object" then
    [((.results | arrays | .[] | objects | .seq), .last_seq) | values] as $all
    | def name: if . == null then . else "{seq \(place($all) + 1), \(type)}" end;
      (if has("last_seq") then .last_seq |= name else . end)
      | if (.results | type) == "array"
        then .results |= map(if type == "object" and has("seq") then .seq |= name else . end)
        else . end
  else . end;
def identifier: if type == "object" and (.uuid | type) == "string" and (.uuid | test("^[0-9a-f]{32}$"))
  then .uuid = "{uuid}" else . end;
def cookie: split(";")[0] | split("=") | "\(.[0])=\(if (.[1:] | add // "") == "" then "" else "{value}" end)";
def revision: type == "string" and test("^[1-9][0-9]*-[0-9a-f]{32}$");
def sorted: walk(if type == "object" then to_entries | sort_by(.key) | from_entries else . end);
def generation: split("-")[0];
def revisions: reduce (.. | select(revision)) as $rev ([]; if any(.[]; . == $rev) then . else . + [$rev] end);
def revision_name($all): if IN($sent[]) then . else "\(generation)-{revision \(place($all) + 1)}" end;
# Of the revisions of a document the greater wins, so it matters which is the greater.
def order($all):
  [.[] | .. | objects | ((.id, ._id) | strings) as $id | .. | select(revision) | [$id, generation, .]] | unique
  | group_by(.[:2]) | map(select(length > 1) | {id: .[0][0], ascending: map(.[2] | revision_name($all))});
def with_named_revisions: sorted | revisions as $all
  | map(walk(if revision then revision_name($all) else . end)) + [order($all)];
def body: . as $text | try fromjson catch $text;
map({status, type, cookies: (.cookies | map(cookie)), body: (.text | body | plain | sequences | identifier)})
| with_named_revisions | .[]
`;

/** The response that curl has written into two files, as one line. */
const received = String.raw`
[$head | split("\n")[] | rtrimstr("\r") | index(":") as $colon | select($colon)
  | {name: .[:$colon] | ascii_downcase, value: .[$colon + 1:] | ltrimstr(" ")}] as $headers
| {
    status: $status,
    type: ([$headers[] | select(.name == "content-type").value] | first // ""),
    cookies: [$headers[] | select(.name == "set-cookie").value],
    text: $text
  }
`;

/** Needs the variables that the script itself sets: `run` and `recorded_run`, `sent`, `url` and `admin`. */
export const functions = String.raw`
work=$(mktemp -d)
finish() {
  remove
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

stop() {
  echo "$1" >&2
  exit 2
}

# The name of a file that gives curl the administrator's credentials, which others could see in its arguments.
admin=$work/admin
touch "$admin"
as_admin() {
  [ -n "$DOCFEED_ADMIN" ] || stop 'Set DOCFEED_ADMIN to name:password of an administrator.'
  printf 'header = "authorization: Basic %s"\n' "$(encoded "$DOCFEED_ADMIN")" >"$admin"
  local status
  status=$(plain_curl -K "$admin" -o "$work/body" -w '%{http_code}' "$url/_session") || stop "No answer from $url."
  [ "$status" = 200 ] || stop "The target does not take the credentials in DOCFEED_ADMIN ($status)."
}

encoded() { printf %s "$1" | base64 | tr -d '\n'; }

plain_curl() { curl -q -sS -g --path-as-is --noproxy '*' --max-time 120 -H 'expect:' "$@"; }

# send STEP TITLE ARGUMENTS: sends a request with these arguments for curl, and keeps the response.
send() {
  local step=$1 title=$2 status
  shift 2
  : >"$work/body"
  status=$(plain_curl -D "$work/head" -o "$work/body" -w '%{http_code}' "$@") || stop "No answer to $title."
  echo "$step. $title: $status"
  jq -cn --argjson status "$status" --rawfile head "$work/head" --rawfile text "$work/body" \
    "$received" >>"$work/now"
}

normalised() { jq -cS -s --arg run "$1" --argjson sent "$sent" "$normal"; }

# Takes the recorded response from the standard input, and ends the script when the last one is another.
compare() {
  cat >>"$work/recorded"
  normalised "$recorded_run" <"$work/recorded" >"$work/recorded.normal"
  normalised "$run" <"$work/now" >"$work/now.normal"
  if cmp -s "$work/recorded.normal" "$work/now.normal"; then return; fi
  for side in recorded now; do tail -n 2 "$work/$side.normal" | jq . >"$work/$side.shown"; done
  echo 'The response is not the recorded one, so the violation does not show here:'
  diff -u --label recorded --label now "$work/recorded.shown" "$work/now.shown" || true
  exit 0
}

# taken STEP PATH: a value from the response to an earlier request.
taken() { sed -n "$1p" "$work/now" | jq -r ".text | fromjson | $2"; }

cookie_from() { sed -n "$1p" "$work/now" | jq -r '.cookies[] | capture("^AuthSession=(?<value>[^;]*)").value'; }

delete() { plain_curl -K "$admin" -o "$work/body" -X DELETE "$1" 2>"$work/complaint" || true; }

delete_document() {
  local rev
  rev=$(plain_curl -K "$admin" "$1" 2>"$work/complaint" | jq -r '._rev // empty' 2>"$work/complaint") || return 0
  [ -z "$rev" ] || delete "$1?rev=$rev"
}
`;

export const programs = { normal, received };
