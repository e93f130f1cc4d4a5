import type { ProblemCode } from '@lineage/referral-api'

/** Says of each problem why it occurs and what to do, for the page that its `type` leads to. */
export const problemTexts: Record<ProblemCode, string> = {
  member_not_found:
    'No valid bind of the community names the address, as a member or as a referrer. Check the address and the community; `/addresses/{address}` says in which communities it is.',
  community_not_found: 'The server has no community with this id. `/communities` lists those that it has.',
  not_found: 'There is no such path. This page lists all of them.',
  invalid_address:
    'An address is 0x and 40 hex digits. In mixed case its checksum must be correct; lower case is not checked.',
  invalid_cursor:
    'A cursor belongs to one list with one order and one filter. Start from the first page, and send the `nextCursor` of each answer unchanged.',
  invalid_parameter:
    'A parameter is unknown, missing, given twice, or has a value that it cannot have. `parameter` names it, and `detail` says what it can be. Unknown parameters are refused, because an answer that ignored them would be wrong.',
  moment_in_future: 'The day has not begun in the newest block. Choose an earlier one.',
  moment_before_start: 'The community had no member by then. Choose a later day or block.',
  moment_uncertain:
    'The block of the bind that names the address is not known exactly, so nothing can be said of its place at that moment. Choose a later moment.',
  block_not_indexed: 'The block is newer than the newest one that is indexed. Choose an earlier one, or wait.',
  events_replaced:
    'Final events before the cursor have changed: logs that a node had left out were added, or the index was read again. Delete what you have from `block` on, and go on with `cursor`, or without one if it is `null`.',
  contradictory_filter: 'No member can match: two filters contradict each other. `detail` says which.',
  too_many_filters: 'The query has more parameters than a list accepts. Remove some.',
  unsupported_order: 'A CSV is in order of joining. Leave `sort` out, and sort the file.',
  too_costly:
    'The answer would keep the server busy for too long. Ask for less: a smaller team, fewer items, or join order.',
  invalid_body: 'The body is not the JSON that this operation takes. `detail` says what it takes.',
  invalid_label: 'A label needs a text or the mark of the watch list, and its text has a maximum length.',
  too_many_labels: 'The account has as many labels as it can have. Remove some first.',
  invalid_watch: 'A watch needs at least one rule that is on.',
  too_many_watches: 'The account watches as many addresses as it can. Remove some first.',
  webhook_not_found: 'The account has no webhook with this id.',
  invalid_webhook: 'The URL cannot be called: it must be public and use https.',
  too_many_webhooks: 'The account has as many webhooks as it can have. Remove one first.',
  feed_not_found: 'The link of the feed has ended. The account can make a new one.',
  unauthenticated: 'This is for signed-in accounts. Sign in with a wallet first.',
  invalid_message: 'The message is not a complete EIP-4361 message. Ask for a new nonce, and sign again.',
  wrong_domain: 'The signed message is for another site. Sign in on this one.',
  wrong_uri: 'The signed message is for another site. Sign in on this one.',
  wrong_chain: 'The signed message names another chain. Switch the wallet to BNB Smart Chain, and sign again.',
  message_expired: 'The signed message has expired. Sign in again.',
  message_not_yet_valid: 'The signed message is not valid yet. Check the clock, and sign in again.',
  invalid_nonce: 'The message has a nonce that this browser did not get. Ask for a new one, and sign again.',
  nonce_expired: 'A nonce is valid for ten minutes. Ask for a new one, and sign again.',
  nonce_used: 'Each nonce signs in once. Ask for a new one, and sign again.',
  invalid_signature: 'The signature is not one of the account in the message. Sign again with that account.',
  invalid_session: 'The session has ended or is not one of this server. Sign in again.',
  cross_site: 'Pages of other sites cannot use accounts, `/v1/rpc` or `/mcp`. They can use the lookups.',
  method_not_allowed: 'The path has other methods: see the header `Allow`.',
  payload_too_large: 'The body is larger than 64 kB. Split it.',
  unsupported_media_type: 'Send JSON, with the header `Content-Type: application/json`.',
  rate_limited:
    'You sent more than your limit, or more at once than the server can answer. Wait for the seconds in `Retry-After`. The headers `RateLimit-Policy` and `RateLimit` of every answer say how much the limit is and what is left of it; a request may cost more than 1.',
  withheld:
    'What was read contradicts the contract, so nothing is served of this community until the operator has corrected its configuration. Waiting does not help.',
  indexing: 'The server is still reading the chain. `progress` says how far it is; try again later.',
  unavailable:
    'The server cannot answer at the moment: it is busy, its database does not respond, or it does not have a block yet that you have seen. Try again after the seconds in `Retry-After`.',
  internal:
    'A fault of the server. Tell the operator the `requestId`, which is in the log of the server too, and try again later.',
}
