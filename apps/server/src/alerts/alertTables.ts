import { addMissingColumn, createMissingIndex } from '@lineage/database'

/**
 * SQL that creates the tables of alerts. `visits` says when an account with watches was first and last here, in Unix
 * milliseconds, and names the networks it last watched from, by keyed hashes. `number` orders the alerts of all accounts: they are inserted under one
 * lock.
 */
export const alertTables = `
  create table if not exists lineage_accounts.watches (
    account text not null,
    community text not null,
    address text not null,
    rules jsonb not null,
    since_block bigint not null,
    updated_at bigint not null,
    primary key (account, community, address)
  );
  ${createMissingIndex('watches_of_community', 'lineage_accounts.watches', '(community)')}
  create table if not exists lineage_accounts.visits (
    account text primary key,
    networks text[] not null,
    since bigint not null,
    seen_at bigint not null
  );
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
  ${createMissingIndex('alerts_of_account', 'lineage_accounts.alerts', '(account, number)')}
  ${createMissingIndex('alerts_of_community', 'lineage_accounts.alerts', '(community, block)')}
  create table if not exists lineage_accounts.alert_accounts (
    account text primary key,
    read_up_to bigint not null default 0,
    feed text unique
  );
  create table if not exists lineage_accounts.alert_cursors (
    community text primary key,
    block bigint not null,
    version bigint not null default 0,
    mark_block bigint not null default 0,
    mark_time bigint not null default 0,
    final_time bigint not null default 0
  );
  ${addMissingColumn('lineage_accounts.alert_cursors', 'index', 'text')}
  ${addMissingColumn('lineage_accounts.alert_cursors', 'heals', 'bigint')}
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
  ${addMissingColumn('lineage_accounts.digest_events', 'is_undated', 'boolean not null default false')}
  ${createMissingIndex('digest_events_by_block', 'lineage_accounts.digest_events', '(community, block)')}
  ${createMissingIndex('digest_events_by_end', 'lineage_accounts.digest_events', '(community, ends, block)')}
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
  ${createMissingIndex('webhooks_of_account', 'lineage_accounts.webhooks', '(account)')}
  create table if not exists lineage_accounts.deliveries (
    id bigserial primary key,
    webhook text not null references lineage_accounts.webhooks on delete cascade,
    alert text,
    at bigint not null,
    status integer,
    milliseconds integer not null,
    answer text not null
  );
  ${createMissingIndex('deliveries_of_webhook', 'lineage_accounts.deliveries', '(webhook, id)')}
`

/** Tables whose rows belong to one account. Rows of `deliveries` are deleted with their webhooks. */
export const alertAccountTables = ['watches', 'visits', 'alerts', 'alert_accounts', 'digest_events', 'webhooks'].map(
  (name) => `lineage_accounts.${name}`,
)

/** SQL that serializes all inserts of alerts, and excludes an account that is being deleted. */
export const lockAlerts = 'select pg_advisory_xact_lock(4362)'
