-- Accounts as the version before kept them: the tables that it created, and rows that its stores wrote.
begin;
select pg_advisory_xact_lock(4361);
create schema if not exists lineage_accounts;
create table if not exists lineage_accounts.used_nonces (nonce text primary key, expires_at bigint not null);
create table if not exists lineage_accounts.sessions (
  id text primary key,
  address text not null,
  chain_id bigint not null,
  expires_at bigint not null
);
create table if not exists lineage_accounts.labels (
  account text not null,
  address text not null,
  text text not null,
  watched boolean not null,
  updated_at bigint not null,
  primary key (account, address)
);

create table if not exists lineage_accounts.watches (
  account text not null,
  community text not null,
  address text not null,
  rules jsonb not null,
  since_block bigint not null,
  updated_at bigint not null,
  primary key (account, community, address)
);
create index if not exists watches_of_community on lineage_accounts.watches (community);
create table if not exists lineage_accounts.alerts (
  number bigserial primary key,
  id text not null unique,
  base text not null,
  account text not null,
  kind text not null,
  community text,
  address text,
  block bigint,
  hash text,
  log_index integer,
  time bigint not null,
  details jsonb not null,
  is_retracted boolean not null default false
);
create index if not exists alerts_of_account on lineage_accounts.alerts (account, number);
create index if not exists alerts_of_community on lineage_accounts.alerts (community, block);
create table if not exists lineage_accounts.alert_accounts (
  account text primary key,
  read_up_to bigint not null default 0,
  feed text unique
);
create table if not exists lineage_accounts.alert_cursors (
  community text primary key,
  block bigint not null,
  version bigint not null default 0,
  holder text not null default '',
  held_until bigint not null default 0,
  mark_block bigint not null default 0,
  mark_time bigint not null default 0,
  final_time bigint not null default 0
);
create table if not exists lineage_accounts.digest_events (
  account text not null,
  community text not null,
  address text not null,
  event text not null,
  block bigint not null,
  starts bigint not null,
  ends bigint not null,
  primary key (account, community, address, event)
);
create table if not exists lineage_accounts.webhooks (
  id text primary key,
  account text not null,
  url text not null,
  secret text not null,
  state text not null default 'active',
  sent bigint not null,
  failures integer not null default 0,
  failing_since bigint,
  created_at bigint not null
);
create index if not exists webhooks_of_account on lineage_accounts.webhooks (account);
create table if not exists lineage_accounts.deliveries (
  id bigserial primary key,
  webhook text not null references lineage_accounts.webhooks on delete cascade,
  alert text,
  at bigint not null,
  status integer,
  milliseconds integer not null,
  answer text not null
);
create index if not exists deliveries_of_webhook on lineage_accounts.deliveries (webhook, id);

commit;

insert into lineage_accounts.used_nonces select * from jsonb_populate_recordset(null::lineage_accounts.used_nonces, '[{"nonce": "nonce-one", "expires_at": 4000000000000},
  {"nonce": "nonce-two", "expires_at": 4000000000000},
  {"nonce": "nonce-three", "expires_at": 4000000000000}]');
insert into lineage_accounts.sessions select * from jsonb_populate_recordset(null::lineage_accounts.sessions, '[{"id": "s1", "address": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "chain_id": 56, "expires_at": 4000000000000},
  {"id": "s2", "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "chain_id": 56, "expires_at": 4000000000000}]');
insert into lineage_accounts.labels select * from jsonb_populate_recordset(null::lineage_accounts.labels, '[{"text": "No. 0 – ’ü \"quoted\" \\ 漢", "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000001", "watched": true, "updated_at": 1800000000000},
  {"text": "No. 1 – ’ü \"quoted\" \\ 漢", "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000002", "watched": false, "updated_at": 1800000000001},
  {"text": "No. 2 – ’ü \"quoted\" \\ 漢", "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000003", "watched": true, "updated_at": 1800000000002},
  {"text": "No. 3 – ’ü \"quoted\" \\ 漢", "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000004", "watched": false, "updated_at": 1800000000003},
  {"text": "No. 4 – ’ü \"quoted\" \\ 漢", "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000005", "watched": true, "updated_at": 1800000000004},
  {"text": "", "account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "address": "0x0000000000000000000000000000000000000001", "watched": true, "updated_at": 1800000000000}]');
insert into lineage_accounts.watches select * from jsonb_populate_recordset(null::lineage_accounts.watches, '[{"rules": {"team": "each", "volumeFrom": null, "directs": true, "referrer": true, "irregular": true, "milestones": true}, "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000001", "community": "demo", "updated_at": 1800000000000, "since_block": 500},
  {"rules": {"team": "day", "volumeFrom": "5000", "directs": false, "referrer": true, "irregular": false, "milestones": false}, "account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "address": "0x0000000000000000000000000000000000000002", "community": "demo", "updated_at": 1800000000001, "since_block": 501}]');
insert into lineage_accounts.digest_events select * from jsonb_populate_recordset(null::lineage_accounts.digest_events, '[{"ends": 1700086400, "block": 480, "event": "event-1", "starts": 1700000000, "account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "address": "0x0000000000000000000000000000000000000002", "community": "demo"}]');
insert into lineage_accounts.alerts select * from jsonb_populate_recordset(null::lineage_accounts.alerts, '[{"id": "alert-0", "base": "alert-0", "hash": "0xabababababababababababababababababababababababababababababababab", "kind": "direct", "time": 1700000000, "block": 480, "number": 1, "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000001", "details": {"member": "0x0000000000000000000000000000000000000064", "referrer": "0x0000000000000000000000000000000000000001"}, "community": "demo", "log_index": 0, "is_retracted": false},
  {"id": "alert-1", "base": "alert-1", "hash": "0xabababababababababababababababababababababababababababababababab", "kind": "direct", "time": 1700000001, "block": 481, "number": 2, "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000001", "details": {"member": "0x0000000000000000000000000000000000000065", "referrer": "0x0000000000000000000000000000000000000001"}, "community": "demo", "log_index": 1, "is_retracted": false},
  {"id": "alert-2", "base": "alert-2", "hash": "0xabababababababababababababababababababababababababababababababab", "kind": "direct", "time": 1700000002, "block": 482, "number": 3, "account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "address": "0x0000000000000000000000000000000000000001", "details": {"member": "0x0000000000000000000000000000000000000066", "referrer": "0x0000000000000000000000000000000000000001"}, "community": "demo", "log_index": 2, "is_retracted": false},
  {"id": "alert-3", "base": "alert-3", "hash": "0xabababababababababababababababababababababababababababababababab", "kind": "direct", "time": 1700000003, "block": 483, "number": 4, "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000001", "details": {"member": "0x0000000000000000000000000000000000000067", "referrer": "0x0000000000000000000000000000000000000001"}, "community": "demo", "log_index": 3, "is_retracted": false},
  {"id": "alert-4", "base": "alert-4", "hash": "0xabababababababababababababababababababababababababababababababab", "kind": "direct", "time": 1700000004, "block": 484, "number": 5, "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000001", "details": {"member": "0x0000000000000000000000000000000000000068", "referrer": "0x0000000000000000000000000000000000000001"}, "community": "demo", "log_index": 4, "is_retracted": false},
  {"id": "alert-5", "base": "alert-5", "hash": "0xabababababababababababababababababababababababababababababababab", "kind": "direct", "time": 1700000005, "block": 485, "number": 6, "account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "address": "0x0000000000000000000000000000000000000001", "details": {"member": "0x0000000000000000000000000000000000000069", "referrer": "0x0000000000000000000000000000000000000001"}, "community": "demo", "log_index": 5, "is_retracted": false},
  {"id": "alert-6", "base": "alert-6", "hash": "0xabababababababababababababababababababababababababababababababab", "kind": "direct", "time": 1700000006, "block": 486, "number": 7, "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "address": "0x0000000000000000000000000000000000000001", "details": {"member": "0x000000000000000000000000000000000000006a", "referrer": "0x0000000000000000000000000000000000000001"}, "community": "demo", "log_index": 6, "is_retracted": false},
  {"id": "njNvWc6pMtqqQMrfluuP35", "base": "njNvWc6pMtqqQMrfluuP35", "hash": null, "kind": "webhook_paused", "time": 1800000000, "block": null, "number": 9, "account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "address": null, "details": {"webhook": "https://hooks.example/b"}, "community": null, "log_index": null, "is_retracted": false}]');
insert into lineage_accounts.alert_accounts select * from jsonb_populate_recordset(null::lineage_accounts.alert_accounts, '[{"feed": "5aXdMO0hnp4z-8Ck-__QE6nXuVlvkdYkyrmmkaWPdWM", "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "read_up_to": 3}]');
insert into lineage_accounts.alert_cursors select * from jsonb_populate_recordset(null::lineage_accounts.alert_cursors, '[{"block": 470, "holder": "server-1", "version": 0, "community": "demo", "mark_time": 0, "final_time": 0, "held_until": 1795714807389, "mark_block": 0}]');
insert into lineage_accounts.webhooks select * from jsonb_populate_recordset(null::lineage_accounts.webhooks, '[{"id": "yd5go_8j2pbz", "url": "https://hooks.example/a", "sent": 4, "state": "active", "secret": "whsec_/j+XHiYO2HXW04cdN9fMqfPRlHZ6x+JQ", "account": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "failures": 0, "created_at": 1795714790739, "failing_since": null},
  {"id": "VkLZdhucMdRW", "url": "https://hooks.example/b", "sent": 0, "state": "paused", "secret": "whsec_3l96OYpVfoTZlcMvnRLJNDB4Vqv9nVg/", "account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "failures": 1, "created_at": 1795714790761, "failing_since": 1800000000000}]');
insert into lineage_accounts.deliveries select * from jsonb_populate_recordset(null::lineage_accounts.deliveries, '[{"at": 1800000000000, "id": 1, "alert": "alert-0", "answer": "", "status": 204, "webhook": "yd5go_8j2pbz", "milliseconds": 12},
  {"at": 1800000000005, "id": 2, "alert": null, "answer": "timeout", "status": null, "webhook": "yd5go_8j2pbz", "milliseconds": 5000}]');
select setval('lineage_accounts.alerts_number_seq', 9, true);
select setval('lineage_accounts.deliveries_id_seq', 2, true);
