//! `schema/client.json` and `schema/server.json`: the messages for those who generate a client.

use hexhall_proto::reply::ServerFrame;
use hexhall_proto::request::RequestFrame;
use schemars::Schema;
use schemars::generate::SchemaSettings;

use crate::committed::assert_current;

/// What a client may send, as the server reads it.
pub fn client() -> Schema {
    SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator()
        .into_root_schema_for::<RequestFrame>()
}

/// What a server sends, as it is written.
pub fn server() -> Schema {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<ServerFrame>()
}

fn text(schema: &Schema) -> String {
    format!("{}\n", serde_json::to_string_pretty(schema).unwrap())
}

#[test]
fn the_schemas_are_current() {
    assert_current("schema/client.json", &text(&client()));
    assert_current("schema/server.json", &text(&server()));
}
