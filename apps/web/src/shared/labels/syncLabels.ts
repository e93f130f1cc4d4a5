import type { Address, Label } from '@lineage/referral-api'
import type { LabelsClient } from '@lineage/referral-api/account-clients'
import { readStored, writeStored } from '../../lib/storage.ts'
import {
  applyChanges,
  type LabelChange,
  type LabelFailure,
  type LabelMap,
  offerKey,
  readBrowserLabels,
  storageKey,
  toChange,
  toLabelFailure,
  toLabelMap,
  withoutMoved,
  writeBrowserLabels,
} from './browserLabels.ts'
import type { LabelActions, LabelsStore, Outcome } from './labelsStore.ts'

export type LabelNews = { kind: 'saved' | 'removed' | 'moved' | 'cleared' } | { kind: 'failed'; failure: LabelFailure }

export type SyncParameters = {
  store: LabelsStore
  client: LabelsClient
  /** The signed-in account; `undefined` for a guest. */
  account: Address | undefined
  onNews: (news: LabelNews) => void
}

/** Reads and writes where the labels are kept: a guest's in localStorage, those of an account on the server. */
type Persister = {
  list: () => Promise<LabelMap>
  /** Saves a change. Returns the saved label, or `undefined` if it was deleted. */
  save: (change: LabelChange) => Promise<Label | undefined>
  removeAll: () => Promise<unknown>
}

type Sync = SyncParameters & {
  persister: Persister
  actions: LabelActions
  /** Labels of the last list with the changes saved since; `undefined` before the first list. */
  saved: LabelMap | undefined
  /** Changes that are shown, but not saved yet. */
  pending: readonly LabelChange[]
  phase: 'loading' | 'loaded' | 'failed'
  loadedAt: number
  /** Grows with each list and each change: a list of an earlier version is dropped. */
  version: number
  unanswered: number
  /** Settles when all changes so far are answered. */
  queue: Promise<unknown>
  /** Number of labels in this browser. */
  inBrowser: number
  /** Other tabs of the account. */
  channel: BroadcastChannel | undefined
  /** Aborts when the account changes: nothing queued is sent then, and late answers are dropped. */
  signal: AbortSignal
}

/** Holds the `offerKey` of the declined offer. */
const declinedKey = 'lineage-labels-declined'
/** Milliseconds after which the list is read again when the user returns: another device may have changed it. */
const staleAfter = 30_000

/**
 * Loads the labels of an account or a guest into the store, and saves changes, until the returned function is called.
 * A change is shown at once, sent after those before it, and taken back if it fails.
 */
export function syncLabels(parameters: SyncParameters): () => void {
  const { store, client, account } = parameters
  const controller = new AbortController()
  const { signal } = controller
  const sync: Sync = {
    ...parameters,
    persister: account ? createAccountPersister(client) : browserPersister,
    actions: createActions(() => sync),
    saved: undefined,
    pending: [],
    phase: 'loading',
    loadedAt: Number.NEGATIVE_INFINITY,
    version: 0,
    unanswered: 0,
    queue: Promise.resolve(),
    inBrowser: readBrowserLabels().size,
    channel: account && openChannel(),
    signal,
  }
  if (sync.channel) sync.channel.onmessage = ({ data }) => data === account && void load(sync)
  window.addEventListener('storage', ({ key }) => onStorage(sync, key), { signal })
  document.addEventListener('visibilitychange', () => loadIfStale(sync), { signal })
  window.addEventListener('online', () => loadIfStale(sync), { signal })
  void load(sync)
  return () => {
    controller.abort()
    sync.channel?.close()
    store.setState({ labels: new Map(), dialog: { name: 'closed' } })
  }
}

const browserPersister: Persister = {
  list: async () => readBrowserLabels(),
  async save(change) {
    // Read again: another tab may have written since.
    writeBrowserLabels(applyChanges(readBrowserLabels(), [change]))
    return change.label
  },
  removeAll: async () => writeBrowserLabels(new Map()),
}

const createAccountPersister = (client: LabelsClient): Persister => ({
  list: async () => toLabelMap((await client.list()).items),
  save: ({ address, label }) =>
    label ? client.save(address, { text: label.text, watched: label.watched }) : client.remove(address),
  removeAll: client.removeAll,
})

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('lineage-labels')
  } catch {
    // Browsers that forbid storage may forbid this as well.
    return undefined
  }
}

/** Puts the state into the store. */
function show({ store, account, saved, pending, phase, inBrowser, actions }: Sync): void {
  const unmoved = account ? inBrowser : 0
  const isOver = unmoved === 0 && store.getState().dialog.name === 'offer'
  store.setState({
    labels: applyChanges(saved ?? new Map(), pending),
    place: account ? 'account' : 'browser',
    status: phase === 'failed' ? 'failed' : saved ? 'ready' : 'loading',
    unmoved,
    actions,
    ...(isOver && { dialog: { name: 'closed' } }),
  })
}

async function load(sync: Sync): Promise<void> {
  const version = ++sync.version
  sync.phase = 'loading'
  show(sync)
  const list = await sync.persister.list().catch(() => undefined)
  if (sync.signal.aborted || version !== sync.version) return
  sync.phase = list ? 'loaded' : 'failed'
  const isFirst = !sync.saved
  if (list) {
    sync.saved = list
    sync.loadedAt = Date.now()
  }
  show(sync)
  if (list && isFirst) offerMove(sync)
}

function loadIfStale(sync: Sync): void {
  const isOld = sync.phase !== 'loading' && Date.now() - sync.loadedAt > staleAfter
  if (isOld && document.visibilityState === 'visible') void load(sync)
}

/** Takes a change of localStorage by another tab; `null` if all of it was removed. */
function onStorage(sync: Sync, key: string | null): void {
  if (key !== storageKey && key !== null) return
  sync.inBrowser = readBrowserLabels().size
  if (sync.account) show(sync)
  else void load(sync)
}

/** Offers to move the browser's labels to the account, unless the same offer was declined. */
function offerMove({ store, account }: Sync): void {
  const inBrowser = readBrowserLabels()
  // Only the visible tab makes the offer.
  if (!account || inBrowser.size === 0 || document.visibilityState !== 'visible') return
  if (readStored(declinedKey) !== offerKey(account, inBrowser)) store.setState({ dialog: { name: 'offer' } })
}

type Change<answer> = {
  request: () => Promise<answer>
  update: (saved: LabelMap, answer: answer) => LabelMap
  /** The change to show until it is answered. */
  shown?: LabelChange
  onSaved?: (answer: answer) => void
}

/** Sends a change after those before it. After the last one the list is read again. */
function send<answer>(sync: Sync, { request, update, shown, onSaved }: Change<answer>): Promise<Outcome> {
  const { signal, channel, account, onNews } = sync
  // A list read before the change must not replace it.
  sync.version++
  sync.unanswered++
  if (shown) sync.pending = [...sync.pending, shown]
  show(sync)
  const outcome = sync.queue.then(async (): Promise<Outcome> => {
    if (signal.aborted) return 'failed'
    try {
      const answer = await request()
      if (signal.aborted) return 'saved'
      if (sync.saved) sync.saved = update(sync.saved, answer)
      channel?.postMessage(account)
      onSaved?.(answer)
      return 'saved'
    } catch (error) {
      if (!signal.aborted) onNews({ kind: 'failed', failure: toLabelFailure(error) })
      return 'failed'
    }
  })
  sync.queue = outcome.then(() => {
    sync.pending = sync.pending.filter((change) => change !== shown)
    sync.unanswered--
    if (signal.aborted) return
    if (sync.unanswered === 0) void load(sync)
    else show(sync)
  })
  return sync.queue.then(() => outcome)
}

function createActions(of: () => Sync): LabelActions {
  const closeDialog = () => of().store.setState({ dialog: { name: 'closed' } })
  return {
    save(address, content) {
      const change = toChange(address, content)
      return send(of(), {
        request: () => of().persister.save(change),
        update: (saved, label) => applyChanges(saved, [{ address, label }]),
        shown: change,
        onSaved: (label) => of().onNews({ kind: label ? 'saved' : 'removed' }),
      })
    },
    removeAll: () =>
      send(of(), {
        request: of().persister.removeAll,
        update: () => new Map(),
        onSaved: () => of().onNews({ kind: 'cleared' }),
      }),
    reload: () => load(of()),
    async moveToAccount() {
      closeDialog()
      const labels = [...readBrowserLabels().values()]
      if (of().account && labels.length > 0) await send(of(), toMove(of(), labels))
    },
    declineMove() {
      closeDialog()
      const { account } = of()
      if (account) writeStored(declinedKey, offerKey(account, readBrowserLabels()))
    },
    openDialog: (dialog) => of().store.setState({ dialog }),
    closeDialog,
  }
}

/** Returns the change that moves labels from this browser to the account. */
const toMove = (sync: Sync, labels: readonly Label[]): Change<{ items: readonly Label[] }> => ({
  request: () => sync.client.merge(labels),
  update: (_, { items }) => toLabelMap(items),
  onSaved() {
    const left = withoutMoved(readBrowserLabels(), labels)
    writeBrowserLabels(left)
    sync.inBrowser = left.size
    sync.onNews({ kind: 'moved' })
  },
})
