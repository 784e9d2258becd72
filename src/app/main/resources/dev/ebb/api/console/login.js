// Login at the issuer of the organisation, by the code flow with PKCE. The page sends the browser to the issuer and hands the code
// with which it comes back to its own instance, so it speaks to no other origin. What was begun stays in this tab.
import { Problem, ask, get, token } from './rest.js';

const BEGUN = 'ebb.login';

const text = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const random = () => text(crypto.getRandomValues(new Uint8Array(32)));
const home = () => `${location.origin}/`;
const failed = (detail) => new Problem(0, 'The login failed', detail);

/** Where people log in; its address is null where the instance knows no issuer. */
export const offered = () => get('/console/login');

/** Leaves for the page of the issuer. */
export const leave = async ({ address, client }) => {
  const verifier = random();
  const state = random();
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem(BEGUN, JSON.stringify({ verifier, state, hash: location.hash }));
  const page = new URL(address);
  const query = { response_type: 'code', client_id: client, redirect_uri: home(), scope: 'openid', state, code_challenge: text(new Uint8Array(challenge)), code_challenge_method: 'S256' };
  Object.entries(query).forEach(([name, value]) => page.searchParams.set(name, value));
  location.assign(page);
};

/** Takes the token of a login with which the browser has come back; does nothing if it has not. */
export const arrive = async () => {
  const query = new URLSearchParams(location.search);
  if (!query.has('state') || !(query.has('code') || query.has('error'))) {
    return;
  }
  const begun = JSON.parse(sessionStorage.getItem(BEGUN) || 'null');
  sessionStorage.removeItem(BEGUN);
  history.replaceState(null, '', location.pathname + (begun?.hash ?? ''));
  if (begun?.state !== query.get('state')) {
    throw failed('This tab has not begun the login that has come back. Log in once more.');
  }
  if (query.has('error')) {
    throw failed(`The issuer says: ${query.get('error_description') || query.get('error')}`);
  }
  const entered = await ask('POST', '/console/login', { body: { code: query.get('code'), verifier: begun.verifier, redirect: home() } });
  token.set(entered.token);
};
