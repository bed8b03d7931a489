// Questions to the server's HTTP API, for what no connection tells.

import { refusalText } from './words.js';

/** What the server answers to `GET path`, from JSON. Throws its refusal: `{ code, message }`. */
export async function ask(path) {
  const response = await fetch(path);
  const answer = await response.json();
  if (!response.ok) throw answer;
  return answer;
}

/** What a question that failed says to people, whether it was refused or never answered. */
export function failureText(refused) {
  return refused.code ? refusalText(refused) : 'The server cannot be reached.';
}
