// JSON Schema, as far as the house rules are written in it: whether a value is as a schema says, and
// which of its conditions it breaks.
//
// Pure. A keyword that is not known here throws: what is not understood must not be ignored.

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (value, name) => Object.hasOwn(value, name);

const TYPES = {
  object: isObject,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
};

// What each keyword asks of a value. Those about numbers and fields say nothing of other values.
const KEYWORDS = {
  const: (it, value) => same(it, value),
  enum: (it, value) => it.some((one) => same(one, value)),
  type: (it, value) => TYPES[it](value),
  minimum: (it, value) => typeof value !== 'number' || value >= it,
  maximum: (it, value) => typeof value !== 'number' || value <= it,
  required: (it, value) => !isObject(value) || it.every((name) => has(value, name)),
  properties: (it, value) => !isObject(value)
    || Object.entries(it).every(([name, schema]) => !has(value, name) || isValid(schema, value[name])),
  additionalProperties: (_, value, { properties }) => !isObject(value)
    || Object.keys(value).every((name) => has(properties, name)),
  dependentRequired: (it, value) => !isObject(value) || Object.entries(it)
    .every(([name, others]) => !has(value, name) || others.every((other) => has(value, other))),
  allOf: (it, value) => it.every((schema) => isValid(schema, value)),
  anyOf: (it, value) => it.some((schema) => isValid(schema, value)),
  oneOf: (it, value) => it.filter((schema) => isValid(schema, value)).length === 1,
  not: (it, value) => !isValid(it, value),
  if: (it, value, { then }) => !isValid(it, value) || isValid(then, value),
  then: () => true,
};

// What only tells of a schema.
const NOTES = ['$schema', 'title', 'description', 'default'];

/** Whether a value is as the schema says. */
export function isValid(schema, value) {
  if (typeof schema === 'boolean') return schema;
  return Object.entries(schema)
    .every(([keyword, it]) => NOTES.includes(keyword) || KEYWORDS[keyword](it, value, schema));
}

/** Why not: the description of the first condition of the schema that the value breaks, or none. */
export function broken(schema, value) {
  return schema.allOf.find((condition) => !isValid(condition, value))?.description;
}

/** All values of a field that has a few, or null where it has a range. */
export function valuesOf(property) {
  if (has(property, 'const')) return [property.const];
  if (property.enum) return property.enum;
  return property.type === 'boolean' ? [false, true] : null;
}
