import { type Address, type Label, ReferralApiError } from '@lineage/referral-api'
import { cleanLabelText, labelLimit } from '@lineage/referral-api/labels'
import type { LabelsClient } from '@lineage/referral-api/labels-client'
import { readStored, writeStored } from '../../lib/storage.ts'
import { readBrowserLabels, storageKey, writeBrowserLabels } from './browserLabels.ts'
import type { LabelActions, LabelsState, LabelsStore } from './labels.ts'

/** Why a change was not kept. What was shown before is shown again. */
type LabelFailure = 'limit' | 'storage' | 'signedOut' | 'busy' | 'unreachable' | 'failed'

export type LabelNews = { kind: 'moved' | 'cleared' } | { kind: 'failed'; failure: LabelFailure }

export type KeepLabelsParameters = {
  store: LabelsStore
  client: LabelsClient
  /** Who is signed in. */
  account: { get: () => Address | undefined; subscribe: (listener: () => void) => () => void }
  onNews: (news: LabelNews) => void
}

const declinedKey = 'lineage-labels-declined'
/** Labels may be changed on another device. */
const freshFor = 30_000

/** Keeps a guest's labels in the browser and an account's on the server, until the answer is called. */
export function keepLabels({ store, client, account, onNews }: KeepLabelsParameters): () => void {
  const ended = new AbortController()
  const channel = openChannel()
  let inBrowser = readBrowserLabels()
  /** The account's; a new one for each sign-in, so that what an earlier one still waits for changes nothing. */
  let current = account.get() && open(account.get() as Address)

  function open(address: Address) {
    return {
      address,
      kept: new Map<Address, Label>(),
      /** On their way to the server; `undefined` deletes. */
      pending: new Map<Address, { label: Label | undefined }>(),
      status: 'loading' as LabelsState['status'],
      readAt: 0,
      /** What it asks of the server, one after the other. */
      queue: Promise.resolve() as Promise<unknown>,
    }
  }

  function show() {
    if (!current) {
      store.setState({ shown: inBrowser, place: 'browser', status: 'ready', waiting: 0 })
      return
    }
    const shown = new Map(current.kept)
    for (const [address, { label }] of current.pending) {
      // What was changed last comes first.
      shown.delete(address)
      if (label) shown.set(address, label)
    }
    store.setState({ shown: newestFirst(shown), place: 'account', status: current.status, waiting: inBrowser.size })
  }

  const fail = (failure: LabelFailure) => onNews({ kind: 'failed', failure })

  function writeToBrowser(labels: Map<Address, Label>): boolean {
    if (labels.size > labelLimit) fail('limit')
    else if (!writeBrowserLabels(labels)) fail('storage')
    else {
      inBrowser = newestFirst(labels)
      show()
      return true
    }
    return false
  }

  /** Asks the server in its turn; `take` hears the answer only while the same person is signed in. */
  function ask<answer>(
    request: () => Promise<answer>,
    take: (answer: answer) => void,
    giveUp: (error: unknown) => void,
  ) {
    const asking = current
    if (!asking) return Promise.resolve()
    const isCurrent = () => current === asking && !ended.signal.aborted
    const done = asking.queue.then(async () => {
      if (!isCurrent()) return
      try {
        const answer = await request()
        if (isCurrent()) take(answer)
      } catch (error) {
        if (isCurrent()) giveUp(error)
      }
      if (isCurrent()) show()
    })
    asking.queue = done
    return done
  }

  const tellTabs = () => current && channel?.postMessage(current.address)

  const actions: LabelActions = {
    async save(address, { text, watched }) {
      const content = { text: cleanLabelText(text), watched }
      const isGone = content.text === '' && !watched
      const label = isGone ? undefined : { address, ...content, updatedAt: Math.floor(Date.now() / 1_000) }
      if (!current) {
        // Another tab may have written since.
        const next = readBrowserLabels()
        next.delete(address)
        if (label) next.set(address, label)
        writeToBrowser(next)
        return
      }
      const { pending, kept } = current
      const change = { label }
      pending.set(address, change)
      show()
      const settle = () => pending.get(address) === change && pending.delete(address)
      await ask(
        () => (label ? client.save(address, content) : client.remove(address)),
        (answer) => {
          if (answer) kept.set(address, answer)
          else kept.delete(address)
          settle()
          tellTabs()
        },
        (error) => {
          settle()
          fail(toFailure(error))
        },
      )
    },

    async removeAll() {
      if (!current) {
        if (writeToBrowser(new Map())) onNews({ kind: 'cleared' })
        return
      }
      const { kept } = current
      await ask(
        client.removeAll,
        () => {
          kept.clear()
          tellTabs()
          onNews({ kind: 'cleared' })
        },
        (error) => fail(toFailure(error)),
      )
    },

    async reload() {
      const asking = current
      if (!asking) return
      if (asking.status === 'failed') asking.status = 'loading'
      show()
      await ask(
        client.list,
        ({ items }) => take(asking, items),
        () => {
          // What is shown stays.
          if (asking.status === 'loading') asking.status = 'failed'
        },
      )
    },

    async move() {
      const asking = current
      const moved = readBrowserLabels()
      actions.ask({ name: 'none' })
      if (!asking || moved.size === 0) return
      await ask(
        () => client.merge([...moved.values()]),
        ({ items }) => {
          take(asking, items)
          const left = readBrowserLabels()
          for (const [address, { updatedAt }] of moved)
            if (left.get(address)?.updatedAt === updatedAt) left.delete(address)
          writeToBrowser(left)
          tellTabs()
          onNews({ kind: 'moved' })
        },
        (error) => fail(toFailure(error)),
      )
    },

    leave() {
      if (current) writeStored(declinedKey, describeOffer(current.address))
      actions.ask({ name: 'none' })
    },

    ask: (task) => store.setState({ task }),
  }

  function take(asking: NonNullable<typeof current>, items: readonly Label[]) {
    asking.kept.clear()
    for (const label of items) asking.kept.set(label.address, label)
    asking.status = 'ready'
    asking.readAt = Date.now()
  }

  /** Which offer was declined: this account's, of these labels. */
  const describeOffer = (address: Address) =>
    `${address} ${inBrowser.size} ${Math.max(0, ...[...inBrowser.values()].map(({ updatedAt }) => updatedAt))}`

  async function begin() {
    const beginning = current
    await actions.reload()
    if (!current || current !== beginning || current.status !== 'ready' || ended.signal.aborted) return
    const isDeclined = readStored(declinedKey) === describeOffer(current.address)
    // Of several tabs the one that is looked at asks.
    if (inBrowser.size > 0 && !isDeclined && document.visibilityState === 'visible') actions.ask({ name: 'offer' })
  }

  const follow = () => {
    const address = account.get()
    if (address === current?.address) return
    current = address && open(address)
    // The account's labels leave the screen with it, and what was asked of them.
    store.setState({ task: { name: 'none' } })
    show()
    if (current) void begin()
  }
  const stopFollowing = account.subscribe(follow)

  const { signal } = ended
  if (channel) channel.onmessage = ({ data }) => data === current?.address && void actions.reload()
  window.addEventListener(
    'storage',
    ({ key }) => {
      // `null`: all of it was removed.
      if (key !== storageKey && key !== null) return
      inBrowser = newestFirst(readBrowserLabels())
      if (inBrowser.size === 0 && store.getState().task.name === 'offer') actions.ask({ name: 'none' })
      show()
    },
    { signal },
  )
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible' && current && Date.now() - current.readAt > freshFor)
        void actions.reload()
    },
    { signal },
  )

  inBrowser = newestFirst(inBrowser)
  store.setState({ actions })
  show()
  if (current) void begin()

  return () => {
    ended.abort()
    stopFollowing()
    channel?.close()
  }
}

const newestFirst = (labels: ReadonlyMap<Address, Label>) =>
  new Map([...labels].sort(([, a], [, b]) => b.updatedAt - a.updatedAt))

function toFailure(error: unknown): LabelFailure {
  switch (error instanceof ReferralApiError ? error.code : undefined) {
    case 'too_many_labels':
      return 'limit'
    case 'unauthenticated':
      return 'signedOut'
    case 'rate_limited':
      return 'busy'
    case 'unreachable':
    case 'unavailable':
      return 'unreachable'
    default:
      return 'failed'
  }
}

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('lineage-labels')
  } catch {
    // Where storage is forbidden, some browsers forbid it too.
    return undefined
  }
}
