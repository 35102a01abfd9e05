/** The jq programs and shell functions that all scripts contain. */

/**
 * Normalizes responses (`{status, type, cookies, text}`), so that two responses are equal if they differ only in values
 * that differ in each run: names of the run, sequences, revisions and cookies.
 *
 * Normalizing keeps everything that a verdict can depend on. Sequences keep their type, and equal sequences in a
 * response stay equal. Revisions keep their generation, and equal revisions stay equal; an additional last line has the
 * order of the revisions of each document. Revisions that the requests contain stay as they are.
 */
const normalizeResponses = String.raw`
# $run: digits in the names of this run; $sent_revisions: revisions that the requests contain.
def is_secret: IN("password", "token", "derived_key", "salt", "password_sha", "stored_key", "totp");
def mask_run: split("-\($run)-") | join("-{run}-");
def mask_names_and_secrets: walk(
  if type == "string" then mask_run
  elif type == "object" then
    with_entries(.key |= mask_run | if .key | is_secret then .value = "[redacted]" else . end)
  else . end);
def index_in($all): . as $one | $all | map(. == $one) | index(true);
def mask_sequences: if type == "object" then
    [((.results | arrays | .[] | objects | .seq), .last_seq) | values] as $all
    | def mask: if . == null then . else "{seq \(index_in($all) + 1), \(type)}" end;
      (if has("last_seq") then .last_seq |= mask else . end)
      | if (.results | type) == "array"
        then .results |= map(if type == "object" and has("seq") then .seq |= mask else . end)
        else . end
  else . end;
def mask_uuid: if type == "object" and (.uuid | type) == "string" and (.uuid | test("^[0-9a-f]{32}$"))
  then .uuid = "{uuid}" else . end;
def mask_cookie: split(";")[0] | split("=")
  | "\(.[0])=\(if (.[1:] | add // "") == "" then "" else "{value}" end)";
def is_revision: type == "string" and test("^[1-9][0-9]*-[0-9a-f]{32}$");
def sort_members: walk(if type == "object" then to_entries | sort_by(.key) | from_entries else . end);
def generation: split("-")[0];
def revisions: reduce (.. | select(is_revision)) as $rev ([]; if any(.[]; . == $rev) then . else . + [$rev] end);
def mask_revision($all):
  if IN($sent_revisions[]) then . else "\(generation)-{revision \(index_in($all) + 1)}" end;
# The greater of two revisions of a document wins, so their order can matter.
def revision_order($all):
  [.[] | .. | objects | ((.id, ._id) | strings) as $id | .. | select(is_revision) | [$id, generation, .]] | unique
  | group_by(.[:2])
  | map(select(length > 1) | {id: .[0][0], ascending: map(.[2] | mask_revision($all))});
def mask_revisions: sort_members | revisions as $all
  | map(walk(if is_revision then mask_revision($all) else . end)) + [revision_order($all)];
def parse_body: . as $text | try fromjson catch $text;
map({
  status,
  type,
  cookies: (.cookies | map(mask_cookie)),
  body: (.text | parse_body | mask_names_and_secrets | mask_sequences | mask_uuid)
})
| mask_revisions | .[]
`;

/** Makes one line of the two files that curl writes: the head and the body of a response. */
const parseResponse = String.raw`
[$head | split("\n")[] | rtrimstr("\r") | index(":") as $colon | select($colon)
  | {name: .[:$colon] | ascii_downcase, value: .[$colon + 1:] | ltrimstr(" ")}] as $headers
| {
    status: $status,
    type: ([$headers[] | select(.name == "content-type").value] | first // ""),
    cookies: [$headers[] | select(.name == "set-cookie").value],
    text: $text
  }
`;

export const jqPrograms = { normalizeResponses, parseResponse };

/**
 * The shell functions. A script sets the variables that they use: `run`, `recorded_run`, `sent_revisions`,
 * `parse_response`, `normalize_responses`, `url` and `DOCFEED_ADMIN`; and defines the function `remove_created`.
 */
export const shellFunctions = String.raw`
work=$(mktemp -d)
clean_up() {
  remove_created
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

stop() {
  echo "$1" >&2
  exit 2
}

# curl reads the administrator's credentials from this file, because all users can see its arguments.
admin=$work/admin
touch "$admin"
check_admin() {
  [ -n "$DOCFEED_ADMIN" ] || stop 'Set DOCFEED_ADMIN to name:password of an administrator.'
  printf 'header = "authorization: Basic %s"\n' "$(encode_base64 "$DOCFEED_ADMIN")" >"$admin"
  local status
  status=$(run_curl -K "$admin" -o "$work/body" -w '%{http_code}' "$url/_session") ||
    stop "No response from $url."
  [ "$status" = 200 ] || stop "The target rejects the credentials in DOCFEED_ADMIN with status $status."
}

encode_base64() { printf %s "$1" | base64 | tr -d '\n'; }

run_curl() { curl -q -sS -g --path-as-is --noproxy '*' --max-time 120 -H 'expect:' "$@"; }

# send_request STEP TITLE ARGUMENTS...: runs curl with the arguments and stores the response.
send_request() {
  local step=$1 title=$2 status
  shift 2
  : >"$work/body"
  status=$(run_curl -D "$work/head" -o "$work/body" -w '%{http_code}' "$@") || stop "No response to $title."
  echo "$step. $title: $status"
  jq -cn --argjson status "$status" --rawfile head "$work/head" --rawfile text "$work/body" \
    "$parse_response" >>"$work/new"
}

normalize() {
  jq -cS -s --arg run "$1" --argjson sent_revisions "$sent_revisions" "$normalize_responses"
}

# Reads the recorded response from standard input. Ends the script if the new response differs from it.
compare_response() {
  cat >>"$work/recorded"
  normalize "$recorded_run" <"$work/recorded" >"$work/recorded.normalized"
  normalize "$run" <"$work/new" >"$work/new.normalized"
  if cmp -s "$work/recorded.normalized" "$work/new.normalized"; then return; fi
  for side in recorded new; do tail -n 2 "$work/$side.normalized" | jq . >"$work/$side.pretty"; done
  echo 'The response differs from the recorded one, so the violation is not reproduced:'
  diff -u --label recorded --label new "$work/recorded.pretty" "$work/new.pretty" || true
  exit 0
}

# response_value STEP PATH: prints a value from the response to an earlier request.
response_value() { sed -n "$1p" "$work/new" | jq -r ".text | fromjson | $2"; }

# session_cookie STEP: prints the session cookie from the response to an earlier request.
session_cookie() {
  sed -n "$1p" "$work/new" | jq -r '.cookies[] | capture("^AuthSession=(?<value>[^;]*)").value'
}

delete() { run_curl -K "$admin" -o "$work/body" -X DELETE "$1" 2>"$work/errors" || true; }

delete_document() {
  local rev
  rev=$(run_curl -K "$admin" "$1" 2>"$work/errors" | jq -r '._rev // empty' 2>"$work/errors") || return 0
  [ -z "$rev" ] || delete "$1?rev=$rev"
}
`;
