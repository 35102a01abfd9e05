//! A consumer of the changes feed that survives everything that the rules allow, without crates. It prints what it
//! knows, one line of JSON for each change: replace `work` by what your consumer does. It speaks HTTP without TLS.
//!
//!     rustc -O follower.rs && docfeed consumer -- ./follower
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;
use std::{env, fs, path::PathBuf, thread};

const HEARTBEAT: Duration = Duration::from_secs(1);

/// A connection that is silent for so long is dead, although nobody has closed it.
const SILENCE: Duration = Duration::from_secs(3);

struct Follower {
    /// Name and port of the server.
    host: String,
    feed_path: String,
    authorization: String,
    /// The consumer follows only documents that match it. Empty if it follows all.
    selector: String,
    checkpoint_file: PathBuf,
    /// The JSON text of any value, which only the server understands.
    since: String,
    /// Number of attempts since the last row.
    attempts: u32,
}

struct Response {
    status: u16,
    /// By their names in lower case.
    headers: HashMap<String, String>,
    connection: BufReader<TcpStream>,
}

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var(name).map_err(|error| invalid(format!("{name}: {error}")));
    let login = variable("DOCFEED_USERNAME")? + ":" + &variable("DOCFEED_PASSWORD")?;
    let mut follower = Follower {
        host: variable("DOCFEED_ORIGIN")?
            .strip_prefix("http://")
            .ok_or_else(|| invalid("this consumer speaks http only"))?
            .to_string(),
        feed_path: format!(
            "/{}/_changes",
            percent_encode(&variable("DOCFEED_DATABASE")?)
        ),
        authorization: format!("Basic {}", base64(login.as_bytes())),
        selector: env::var("DOCFEED_SELECTOR").unwrap_or_default(),
        checkpoint_file: PathBuf::from(variable("DOCFEED_STATE")?).join("checkpoint"),
        since: String::new(),
        attempts: 0,
    };
    follower.since = follower.read_checkpoint()?;
    loop {
        follower.attempts += 1;
        if let Err(error) = follower.follow() {
            eprintln!("{error}");
        }
        thread::sleep(
            Duration::from_millis(10 << follower.attempts.min(10)).min(Duration::from_secs(5)),
        );
    }
}

impl Follower {
    /// Returns when the feed ends, which may happen at any time, also without a row.
    fn follow(&mut self) -> io::Result<()> {
        let response = self.open_feed()?;
        // Also a redirect is an error: it could lead to another host, which must not get the password.
        if response.status != 200 {
            eprintln!("the server answers {}", response.status);
            // The database was created again, so no earlier position means anything.
            if response.status == 400 {
                self.since = "0".to_string();
            }
            thread::sleep(response.retry_after());
            return Ok(());
        }
        let mut body = response.body();
        // A character may begin in one piece of the body and end in the next, so only whole lines are decoded.
        let mut line = Vec::new();
        while body.read_until(b'\n', &mut line)? > 0 {
            // Whoever cuts the connection may cut a line, which then ends without a line feed.
            if line.pop() != Some(b'\n') {
                break;
            }
            let text = std::str::from_utf8(&line).map_err(invalid)?;
            // An empty line is a heartbeat, and the object at the end of a feed has no id.
            let row = json::members(text);
            if row.contains_key("id") {
                self.take(&row);
            }
            line.clear();
        }
        Ok(())
    }

    fn open_feed(&self) -> io::Result<Response> {
        // A string goes without its quotes.
        let since = if self.since.starts_with('"') {
            json::text(&self.since)
        } else {
            self.since.clone()
        };
        let query = format!(
            "feed=continuous&style=all_docs&include_docs=true&heartbeat={}&since={}",
            HEARTBEAT.as_millis(),
            percent_encode(&since)
        );
        if self.selector.is_empty() {
            self.send("GET", &query, "")
        } else {
            self.send(
                "POST",
                &(query + "&filter=_selector"),
                &format!(r#"{{"selector":{}}}"#, self.selector),
            )
        }
    }

    fn send(&self, method: &str, query: &str, body: &str) -> io::Result<Response> {
        let address = self
            .host
            .to_socket_addrs()?
            .next()
            .ok_or_else(|| invalid("the host has no address"))?;
        let mut connection = TcpStream::connect_timeout(&address, SILENCE)?;
        connection.set_read_timeout(Some(SILENCE))?;
        connection.set_write_timeout(Some(SILENCE))?;
        let head = [
            format!("{method} {}?{query} HTTP/1.1", self.feed_path),
            format!("Host: {}", self.host),
            format!("Authorization: {}", self.authorization),
            "Content-Type: application/json".to_string(),
            format!("Content-Length: {}", body.len()),
            "Connection: close".to_string(),
        ];
        connection.write_all(format!("{}\r\n\r\n{body}", head.join("\r\n")).as_bytes())?;
        Response::read(BufReader::new(connection))
    }

    /// Works first and moves the checkpoint afterwards: after a crash, rows come again, and none is lost.
    fn take(&mut self, row: &HashMap<String, &str>) {
        work(row);
        self.since = row["seq"].to_string();
        self.attempts = 0;
        self.write_checkpoint()
            .expect("the checkpoint can be written");
    }

    fn read_checkpoint(&self) -> io::Result<String> {
        let start = "0".to_string();
        match fs::read_to_string(&self.checkpoint_file) {
            // A position in the feed of one selector means nothing in that of another.
            Ok(text) => Ok(match text.split_once('\n') {
                Some((since, selector)) if selector == self.selector => since.to_string(),
                _ => start,
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(start),
            Err(error) => Err(error),
        }
    }

    fn write_checkpoint(&self) -> io::Result<()> {
        let new_file = self.checkpoint_file.with_extension("new");
        fs::write(&new_file, format!("{}\n{}", self.since, self.selector))?;
        fs::rename(&new_file, &self.checkpoint_file)
    }
}

/// It must give the same result each time: the same row may come several times, in any order with others.
fn work(row: &HashMap<String, &str>) {
    let leaves: Vec<&str> = json::parts(row["changes"])
        .iter()
        .map(|change| json::members(change)["rev"])
        .collect();
    let mut output = io::stdout().lock();
    writeln!(
        output,
        r#"{{"id":{},"rev":{},"deleted":{},"leaves":[{}]}}"#,
        row["id"],
        json::members(row["doc"])["_rev"],
        row.get("deleted").unwrap_or(&"false"),
        leaves.join(",")
    )
    .and_then(|()| output.flush())
    .expect("somebody reads the output");
}

impl Response {
    /// Reads the head of a response.
    fn read(mut connection: BufReader<TcpStream>) -> io::Result<Response> {
        let start = read_line(&mut connection)?;
        let status = start.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| invalid("the response is not HTTP"))?;
        let mut headers = HashMap::new();
        loop {
            let line = read_line(&mut connection)?;
            if line.is_empty() {
                return Ok(Response {
                    status,
                    headers,
                    connection,
                });
            }
            if let Some((name, value)) = line.split_once(':') {
                headers.insert(name.to_ascii_lowercase(), value.trim().to_string());
            }
        }
    }

    fn retry_after(&self) -> Duration {
        Duration::from_secs(
            self.headers
                .get("retry-after")
                .and_then(|value| value.parse().ok())
                .unwrap_or(0),
        )
    }

    /// If it is not in chunks, it ends with the connection.
    fn body(self) -> Box<dyn BufRead> {
        match self.headers.get("transfer-encoding") {
            Some(_) => Box::new(BufReader::new(Chunks {
                connection: self.connection,
                left: 0,
            })),
            None => Box::new(self.connection),
        }
    }
}

/// The bytes of a body in chunks, without their lengths.
struct Chunks {
    connection: BufReader<TcpStream>,
    /// Number of bytes of this chunk that have not been read.
    left: u64,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let mut length = read_line(&mut self.connection)?;
            // The end of the chunk before.
            if length.is_empty() {
                length = read_line(&mut self.connection)?;
            }
            let digits = length.split(';').next().unwrap_or_default().trim();
            self.left = u64::from_str_radix(digits, 16).map_err(invalid)?;
        }
        let count = self.connection.by_ref().take(self.left).read(buffer)?;
        self.left -= count as u64;
        Ok(count)
    }
}

/// Returns a line of the protocol without its end.
fn read_line(connection: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = String::new();
    connection.read_line(&mut line)?;
    let text = line
        .strip_suffix("\r\n")
        .ok_or_else(|| Error::from(ErrorKind::UnexpectedEof))?;
    Ok(text.to_string())
}

fn invalid<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> Error {
    Error::new(ErrorKind::InvalidData, error)
}

fn percent_encode(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            (byte as char).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| {
            bits << 8 | usize::from(*group.get(i).unwrap_or(&0))
        });
        for i in 0..4 {
            text.push(if i <= group.len() {
                DIGITS[bits >> (18 - 6 * i) & 63].into()
            } else {
                '='
            });
        }
    }
    text
}

/// Takes JSON apart. The values stay texts of JSON, so that no seq changes. The crate serde_json does this as well.
mod json {
    use std::collections::HashMap;

    /// The members of an object; none if the text is blank.
    pub fn members(json: &str) -> HashMap<String, &str> {
        parts(json)
            .chunks_exact(2)
            .map(|member| (text(member[0]), member[1]))
            .collect()
    }

    /// The elements of an array, or the names and values of an object in turn.
    pub fn parts(json: &str) -> Vec<&str> {
        let mut parts = Vec::new();
        let (mut is_string, mut is_escaped, mut depth, mut start) = (false, false, 0, 0);
        for (i, c) in json.char_indices() {
            if is_string {
                is_string = is_escaped || c != '"';
                is_escaped = !is_escaped && c == '\\';
                continue;
            }
            if depth == 1 && ",:}]".contains(c) {
                parts.push(json[start..i].trim());
                start = i + 1;
            }
            match c {
                '"' => is_string = true,
                '{' | '[' => {
                    depth += 1;
                    if depth == 1 {
                        start = i + 1;
                    }
                }
                '}' | ']' => depth -= 1,
                _ => {}
            }
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// What a string means.
    pub fn text(json: &str) -> String {
        let mut units: Vec<u16> = Vec::new();
        let content = json
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        let mut rest = content.unwrap_or(json).chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                units.extend(c.encode_utf16(&mut [0; 2]).iter());
                continue;
            }
            units.push(match rest.next() {
                Some('b') => 8,
                Some('f') => 12,
                Some('n') => 10,
                Some('r') => 13,
                Some('t') => 9,
                Some('u') => u16::from_str_radix(&rest.by_ref().take(4).collect::<String>(), 16)
                    .unwrap_or(0xfffd),
                other => other.map_or(0xfffd, |same| same as u16),
            });
        }
        String::from_utf16_lossy(&units)
    }
}
