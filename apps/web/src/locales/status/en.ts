export default {
  title: 'Index',
  state: 'State',
  indexing: 'Indexing',
  ready: 'Ready',
  block: 'Indexed block',
  finalized: 'Finalized block',
  head: 'Newest block',
  lag: 'Behind by',
  blocks: '{{count}} blocks',
  blocks_one: '1 block',
  unbound: 'includes {{number}} unbound referrers',
  unbound_one: 'includes {{number}} unbound referrer',
  spotChecks: 'Checked on chain',
  'spotChecks.value': 'Members {{checked}} · Differing {{differing}}',
  'warning.node_silent': 'Node {{node}} does not respond',
  'warning.node_other_chain': 'Node {{node}} is on another chain and is not used',
  'warning.node_without_logs': 'Node {{node}} does not allow eth_getLogs, or only for single blocks. Use another node',
  'warning.node_without_history':
    'Node {{node}} does not have the first block. Reading the history requires an archive node',
  'warning.node_behind': 'Node {{node}} is stuck; other nodes are used',
  'warning.node_limiting': 'Node {{node}} limits requests; reading is slower',
  'warning.referrers_differ': 'Community {{community}}: for some members, contract and events name different referrers',
  'warning.arguments_swapped':
    'Community {{community}}: member and referrer may be swapped in the configuration, because the contract reports them in the other order; lookups are paused',
  'warning.events_unreadable':
    'Community {{community}}: its events do not match the configured arguments. Check which arguments are indexed',
  'warning.events_absent':
    'Community {{community}}: no bind events were found. Check the contract address, the event and the start block',
  'warning.parent_view_unreadable':
    "Community {{community}}: the contract's parentView cannot be read. Check its signature",
  'warning.order_unconfirmed':
    'Community {{community}}: nothing confirms which argument is the member. Check the configuration',
  'warning.tables_damaged':
    'Community {{community}}: stored events were lost or changed. Lookups are paused until they are read again',
  'warning.chain_replaced': 'The nodes serve another chain or fork than the one that was indexed',
  'warning.reader_silent': 'No reader writes to the index',
  'warning.accounts_unavailable': 'The accounts database is unavailable: sign-in and labels do not work',
}
