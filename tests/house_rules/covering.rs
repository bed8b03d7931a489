//! Requests out of a schema in which each value that it names occurs: each of an enumeration, both
//! ends of a range, each time control at its ends.

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// A field and what it may be.
type Given = (String, Value);

/// The requests. A value that fits no request fails the test: a schema must not promise it.
pub fn covering(schema: &Value, validator: &Validator) -> Vec<Value> {
    let properties = schema["properties"].as_object().unwrap();
    let all: Vec<Given> = properties
        .iter()
        .flat_map(|(name, property)| values(property).into_iter().map(|it| (name.clone(), it)))
        .collect();
    let preset = json!({ "preset": properties["preset"]["const"] });
    all.iter()
        .map(|given| {
            // Some values need the company of another: rows that of columns.
            let alone = with(&preset, given);
            let accompanied = all.iter().map(|other| with(&alone, other));
            let mut tried = std::iter::once(alone.clone()).chain(accompanied);
            tried
                .find(|request| request[&given.0] == given.1 && validator.is_valid(request))
                .unwrap_or_else(|| panic!("{given:?} fits no request of {preset}"))
        })
        .collect()
}

fn with(request: &Value, (name, value): &Given) -> Value {
    let mut request = request.clone();
    request[name] = value.clone();
    request
}

/// What a field is to be tried at.
fn values(property: &Value) -> Vec<Value> {
    if let Some(value) = property.get("const") {
        return vec![value.clone()];
    }
    if let Some(values) = property["enum"].as_array() {
        return values.clone();
    }
    if let Some(kinds) = property["oneOf"].as_array() {
        return kinds.iter().flat_map(objects).collect();
    }
    match property["type"].as_str() {
        Some("boolean") => vec![json!(false), json!(true)],
        Some("integer") => {
            let mut ends = vec![property["minimum"].clone(), property["maximum"].clone()];
            ends.dedup();
            ends
        }
        _ => panic!("a kind of field that is not known here: {property}"),
    }
}

/// Objects in which each field is at each of its values while the others are at their last or their
/// first.
fn objects(schema: &Value) -> Vec<Value> {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let required = schema["required"].as_array().unwrap();
    let end = |last: bool| -> Map<String, Value> {
        let needed = properties.iter().filter(|(name, _)| required.contains(&json!(name)));
        let value = |property| {
            let values = values(property);
            if last { values.last().unwrap().clone() } else { values[0].clone() }
        };
        needed.map(|(name, property)| (name.clone(), value(property))).collect()
    };
    let mut objects: Vec<Value> = Vec::new();
    for (name, property) in properties {
        let mut values = values(property);
        if !required.contains(&json!(name)) {
            // The least of what may be left out depends on the others.
            values.drain(..values.len() - 1);
        }
        for value in values {
            let with_rest = |last| {
                let mut object = end(last);
                object.insert(name.clone(), value.clone());
                Value::Object(object)
            };
            let object = [with_rest(true), with_rest(false)];
            let object = object.into_iter().find(|object| validator.is_valid(object));
            let object = object.unwrap_or_else(|| panic!("{name} is never {value} in {schema}"));
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
    }
    objects
}
