//! Chromedriver, and the commands of it that WebDriver itself does not have.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use axum::http::Method;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;
use url::{ParseError, Url};

/// A chromedriver on a port of its own. Dropping it ends every browser that it has started.
pub struct Driver {
    process: Child,
    port: u16,
    // Removed after the browsers have ended: one that runs would write its profile anew.
    profiles: Mutex<Vec<TempDir>>,
}

impl Driver {
    /// Starts one and waits until it says on which port it listens.
    pub fn start() -> Driver {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts (Debian: chromium-driver)");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines
            .by_ref()
            .find_map(|line| {
                let line = line.unwrap();
                line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver ended before it was ready");
        std::thread::spawn(move || lines.for_each(drop));
        Driver { process, port, profiles: Mutex::default() }
    }

    /// Starts a browser with a profile of its own: to the server, a person that it has never seen.
    pub async fn browser(&self) -> Client {
        let profile = tempfile::tempdir().unwrap();
        let profile_argument = format!("--user-data-dir={}", profile.path().display());
        let mut arguments = vec![
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=1400,1200",
        ];
        arguments.push(&profile_argument);
        let capabilities = json!({
            "goog:chromeOptions": { "binary": "/usr/bin/chromium", "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let Value::Object(capabilities) = capabilities else { unreachable!() };
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{}", self.port))
            .await
            .expect("a browser starts");
        self.profiles.lock().unwrap().push(profile);
        client
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Killed, it would leave its browsers behind. It answers when they are gone.
        let told = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut socket| {
            socket.write_all(b"GET /shutdown HTTP/1.1\r\nHost: localhost\r\n\r\n")?;
            socket.read_to_end(&mut Vec::new())
        });
        if told.is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// A command of the DevTools protocol, such as `Emulation.setEmulatedMedia`.
pub async fn devtools(client: &Client, command: &'static str, params: Value) -> Value {
    let body = json!({ "cmd": command, "params": params });
    client.issue_cmd(Post { path: "goog/cdp/execute", body }).await.unwrap()
}

/// What the browser has logged since it was last asked: `level`, `source` and `message` of each.
pub async fn logged(client: &Client) -> Vec<Value> {
    let body = json!({ "type": "browser" });
    let log = client.issue_cmd(Post { path: "se/log", body }).await.unwrap();
    log.as_array().unwrap().clone()
}

/// A command of chromedriver's own, at a path below the session's.
#[derive(Debug)]
struct Post {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(&self, base_url: &Url, session_id: Option<&str>) -> Result<Url, ParseError> {
        base_url.join(&format!("session/{}/{}", session_id.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _request_url: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
