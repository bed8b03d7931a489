//! Somebody at a browser: what they do to the page, and what they wait to see there.
//!
//! Nothing here sleeps. A wait is a script in the page that watches the page's own changes, and ends
//! with the change that was waited for, or fails after a minute.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::wd::{TimeoutConfiguration, WindowHandle};
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use super::driver::{Driver, devtools, logged};

/// How long anything may take on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

/// What conditions may use: an element by its `data-testid`, its text, and whether it can be seen.
const WORDS: &str = r#"
    const one = (id) => document.querySelector(`[data-testid="${id}"]`);
    const text = (id) => one(id)?.textContent ?? null;
    const seen = (id) => one(id)?.checkVisibility({ visibilityProperty: true }) ?? false;
    const stone = (cell) => one(`cell-${cell}`)?.dataset.stone;
    const stones = () => document.querySelectorAll('[data-cell]:not([data-stone=""])').length;
"#;

/// What the page is looked at on.
#[derive(Clone, Copy)]
pub enum Screen {
    /// A window on a desk, 1280 by 900.
    Desk,
    /// A phone held upright, 390 by 844.
    Phone,
    /// The smallest phone that there is, held upright, 360 by 740.
    Small,
    /// What the README shows of it, 1200 by 740.
    Picture,
}

/// Somebody with a browser and a profile of their own.
pub struct Person {
    name: &'static str,
    client: Client,
}

/// No form waits for the house rules, before which it does nothing.
const RULES_ARE_THERE: &str = "!document.querySelector('form[aria-busy]')";

impl Person {
    /// Starts a browser for somebody who then goes by that name.
    pub async fn arrive(driver: &Driver, name: &'static str, screen: Screen, url: &str) -> Person {
        let client = driver.browser().await;
        let patience = TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None);
        client.update_timeouts(patience).await.unwrap();
        let person = Person { name, client };
        let (width, height, mobile) = match screen {
            Screen::Desk => (1280, 900, false),
            Screen::Phone => (390, 844, true),
            Screen::Small => (360, 740, true),
            Screen::Picture => (1200, 740, false),
        };
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile,
        });
        person.devtools("Emulation.setDeviceMetricsOverride", size).await;
        person.in_the(false).await;
        person.go(url).await;
        let field = person.find("name").await;
        field.clear().await.unwrap();
        field.send_keys(&format!("{name}{}", &*Key::Enter)).await.unwrap();
        person.sees("text('connection') === 'online' && !seen('save-name')").await;
        person
    }

    /// A command of the DevTools protocol to this browser.
    pub async fn devtools(&self, command: &'static str, params: Value) -> Value {
        devtools(&self.client, command, params).await
    }

    /// Opens an address and waits until the page is connected.
    pub async fn go(&self, url: &str) {
        self.client.goto(url).await.unwrap();
        self.sees("text('connection') === 'online'").await;
    }

    /// Loads the page anew.
    pub async fn reload(&self) {
        self.client.refresh().await.unwrap();
        self.sees("text('connection') === 'online'").await;
    }

    /// Goes to a page elsewhere.
    pub async fn goes_away(&self) {
        self.client.goto("about:blank").await.unwrap();
    }

    /// Goes back to the page before.
    pub async fn comes_back(&self) {
        self.client.back().await.unwrap();
        self.sees("text('connection') === 'online'").await;
    }

    /// The address of the page.
    pub async fn url(&self) -> String {
        self.client.current_url().await.unwrap().into()
    }

    /// Opens another tab of the same browser and looks at it. Gives the one that was looked at.
    pub async fn open_tab(&self) -> WindowHandle {
        let before = self.client.window().await.unwrap();
        let tab = self.client.new_window(true).await.unwrap();
        self.client.switch_to_window(tab.handle).await.unwrap();
        before
    }

    /// Looks at a tab. Gives the one that was looked at.
    pub async fn look_at(&self, tab: WindowHandle) -> WindowHandle {
        let before = self.client.window().await.unwrap();
        self.client.switch_to_window(tab).await.unwrap();
        before
    }

    /// Waits until a condition holds in the page: an expression that may use `WORDS`.
    pub async fn sees(&self, condition: &str) {
        let script = format!(
            "{WORDS}
            const done = arguments[arguments.length - 1];
            const holds = () => {{ try {{ return !!({condition}); }} catch {{ return false; }} }};
            if (holds()) {{ done(true); return; }}
            const look = () => {{
                if (!holds()) return;
                observer.disconnect();
                clearInterval(timer);
                done(true);
            }};
            const observer = new MutationObserver(look);
            observer.observe(document, {{
                subtree: true, childList: true, attributes: true, characterData: true,
            }});
            // What a field holds, the focus and how far something is scrolled change without a word.
            const timer = setInterval(look, 50);"
        );
        if let Err(error) = self.client.execute_async(&script, Vec::new()).await {
            let shows = self.reads("document.body.innerText").await;
            panic!("{} waited in vain for {condition}: {error}\n{shows:#}", self.name);
        }
    }

    /// What an expression over the page is now.
    pub async fn reads(&self, expression: &str) -> Value {
        let script = format!("{WORDS} return {expression};");
        self.client.execute(&script, Vec::new()).await.unwrap()
    }

    /// What a promise over the page comes to.
    pub async fn awaits(&self, promise: &str) -> Value {
        let script = format!("{WORDS} ({promise}).then(arguments[arguments.length - 1]);");
        self.client.execute_async(&script, Vec::new()).await.unwrap()
    }

    /// Clicks on what has that `data-testid`, as soon as it is there and may be clicked.
    pub async fn clicks(&self, id: &str) {
        self.sees(&format!("seen('{id}') && !one('{id}').disabled")).await;
        match self.find(id).await.click().await {
            // A row of the list was drawn anew in between: the new one is meant.
            Err(error) if error.is_stale_element_reference() => {
                self.find(id).await.click().await.unwrap();
            }
            clicked => clicked.unwrap(),
        }
    }

    /// Chooses in a list of the form that opens a table, by typing how the choice begins.
    pub async fn chooses(&self, name: &str, choice: &str) {
        self.sees(RULES_ARE_THERE).await;
        let list = self.client.find(Locator::Css(&format!("[name={name}]"))).await.unwrap();
        list.send_keys(choice).await.unwrap();
    }

    /// Types into a field, behind what is there, or how a choice of a list begins.
    pub async fn types(&self, id: &str, text: &str) {
        self.sees(&format!("seen('{id}')")).await;
        self.find(id).await.send_keys(text).await.unwrap();
    }

    /// Types into a field, in place of what is there.
    pub async fn clears_and_types(&self, id: &str, text: &str) {
        self.sees(&format!("seen('{id}')")).await;
        self.find(id).await.clear().await.unwrap();
        self.types(id, text).await;
    }

    /// Fills in a field of that form, in place of what is there.
    pub async fn fills(&self, name: &str, text: &str) {
        self.sees(RULES_ARE_THERE).await;
        let field = self.client.find(Locator::Css(&format!("[name={name}]"))).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Clicks on one choice of several of that form.
    pub async fn picks(&self, name: &str, value: &str) {
        self.sees(RULES_ARE_THERE).await;
        let choice = format!("label:has([name={name}][value={value}])");
        self.client.find(Locator::Css(&choice)).await.unwrap().click().await.unwrap();
    }

    /// Ticks a box of that form, or takes the tick away.
    pub async fn ticks(&self, name: &str) {
        self.sees(RULES_ARE_THERE).await;
        let tick = format!("label:has([type=checkbox][name={name}])");
        self.client.find(Locator::Css(&tick)).await.unwrap().click().await.unwrap();
    }

    /// Presses keys, wherever the keyboard's focus is.
    pub async fn presses(&self, keys: impl IntoIterator<Item = impl Into<char>>) {
        let pressed = keys.into_iter().fold(KeyActions::new("keys".to_owned()), |actions, key| {
            let value = key.into();
            actions.then(KeyAction::Down { value }).then(KeyAction::Up { value })
        });
        self.client.perform_actions(pressed).await.unwrap();
    }

    /// Goes on to what has that `data-testid` by the Tab key alone.
    pub async fn tabs_to(&self, id: &str) {
        self.sees(&format!("seen('{id}') && !one('{id}').disabled")).await;
        let there = format!("document.activeElement === one('{id}')");
        for _ in 0..60 {
            if self.reads(&there).await == json!(true) {
                return;
            }
            self.presses([Key::Tab]).await;
        }
        panic!("{} does not come to {id} by the Tab key", self.name);
    }

    /// The invitation link, by way of the clipboard.
    pub async fn copies_the_link(&self) -> String {
        let allowed = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
        self.devtools("Browser.grantPermissions", allowed).await;
        self.clicks("copy-invite").await;
        self.sees("text('toast')?.includes('copied')").await;
        let copied = self.awaits("navigator.clipboard.readText()").await;
        copied.as_str().expect("the clipboard holds a text").to_owned()
    }

    /// Looks at the page in the light, or in the dark.
    pub async fn in_the(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": value },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Keeps pictures of the page in tests/output/browser/, in the light and in the dark.
    pub async fn pictures(&self, moment: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/output/browser");
        fs::create_dir_all(&folder).unwrap();
        for (light, dark) in [("dark", true), ("light", false)] {
            self.in_the(dark).await;
            let file = folder.join(format!("{moment}-{}-{light}.png", self.name.to_lowercase()));
            self.picture(file).await;
        }
    }

    /// Keeps one picture of what the screen shows.
    pub async fn picture(&self, file: PathBuf) {
        fs::write(file, self.client.screenshot().await.unwrap()).unwrap();
    }

    /// What the browser has complained of since it was last asked: errors of scripts, of requests,
    /// and of the content security policy.
    pub async fn complaints(&self) -> Vec<String> {
        let entries = logged(&self.client).await.into_iter();
        entries
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .map(|entry| format!("{}: {}", self.name, entry["message"].as_str().unwrap()))
            .collect()
    }

    async fn find(&self, id: &str) -> Element {
        let found = self.client.find(Locator::Css(&format!("[data-testid=\"{id}\"]"))).await;
        found.unwrap_or_else(|error| panic!("{} finds no {id}: {error}", self.name))
    }
}
