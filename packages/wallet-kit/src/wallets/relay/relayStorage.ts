import { withTimeout } from '../../core/lib/promises.ts'

/** The storage that the relay client needs. Values are what JSON can hold. */
export type RelayStorage = {
  getKeys: () => Promise<string[]>
  getEntries: <T>() => Promise<[string, T][]>
  getItem: <T>(key: string) => Promise<T | undefined>
  setItem: (key: string, value: unknown) => Promise<void>
  removeItem: (key: string) => Promise<void>
}

/** Time limit in milliseconds for the database: some browsers never answer. */
const timeLimit = 3_000

/**
 * Creates a storage in the database that the client itself would use, so that sessions of earlier versions stay. Never
 * rejects: what the database does not take stays in memory, and is written when it works again.
 */
export function createRelayStorage(): RelayStorage {
  const transact = createDatabase()
  /** The texts that this page has read or written; `undefined` for removed ones. */
  const memory = new Map<string, string | undefined>()
  /** The texts of `memory` when they were last equal to the database. */
  const saved = new Map<string, string | undefined>()
  let saving: Promise<unknown> = Promise.resolve()
  let patience = timeLimit

  /** Waits for the database, but only once if it does not answer. */
  const wait = async <T>(task: Promise<T>): Promise<T | undefined> => {
    const createError = () => {
      patience = 0
      return new Error('The database does not answer.')
    }
    const answered = task.finally(() => {
      patience = timeLimit
    })
    return withTimeout(answered, patience, createError).catch(() => undefined)
  }

  const save = async () => {
    for (const [key, text] of memory) {
      if (saved.has(key) && saved.get(key) === text) continue
      await transact('readwrite', (store) => writeMerged(store, key, saved.get(key), text))
      saved.set(key, text)
    }
  }
  const write = async (key: string, text: string | undefined) => {
    memory.set(key, text)
    saving = saving.then(save).catch(() => {})
    await wait(saving)
  }
  const read = async (name: string): Promise<string | undefined> => {
    const key = toKey(name)
    if (memory.has(key)) return memory.get(key)
    const text = await wait(transact('readonly', (store) => store.get(key)))
    // It may have been written meanwhile.
    if (typeof text !== 'string' || memory.has(key)) return memory.get(key)
    memory.set(key, text)
    saved.set(key, text)
    return text
  }
  const getKeys = async () => {
    const stored = (await wait(transact('readonly', (store) => store.getAllKeys()))) ?? []
    const keys = new Set([...stored.map(String), ...memory.keys()])
    return [...keys].filter((key) => !memory.has(key) || memory.get(key) !== undefined)
  }
  const getItem = async <T>(key: string) => parse(await read(key)) as T | undefined
  return {
    getKeys,
    getItem,
    getEntries: async <T>() =>
      Promise.all((await getKeys()).map(async (key) => [key, await getItem<T>(key)] as [string, T])),
    setItem: async (key, value) => {
      const text = typeof value === 'string' ? value : stringify(value)
      if (text !== undefined) await write(toKey(key), text)
    },
    removeItem: (key) => write(toKey(key), undefined),
  }
}

/** Returns a key as the client's own storage writes it. */
const toKey = (name: string) => name.replace(/[/\\:]+/g, ':').replace(/^:|:$/g, '')

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return text
  }
}

function stringify(value: unknown): string | undefined {
  try {
    // A request to the wallet may have an amount as bigint, and is stored too.
    return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
  } catch {
    return undefined
  }
}

/**
 * Writes a value, and keeps the entries that another tab has added to it since this page read `before`: the client
 * writes whole lists of sessions, keys and topics.
 */
function writeMerged(
  store: IDBObjectStore,
  key: string,
  before: string | undefined,
  text: string | undefined,
): IDBRequest {
  const request = store.get(key)
  request.onsuccess = () => {
    try {
      const isSame = request.result === undefined || request.result === before
      if (text === undefined) store.delete(key)
      else store.put(isSame ? text : merge(before, text, request.result), key)
    } catch {
      store.transaction.abort()
    }
  }
  return request
}

/** Applies what changed from `before` to `text` to another text of the same list or object. */
function merge(before: string | undefined, text: string, other: unknown): string {
  const [next, stored] = [parse(text), parse(other)]
  const [known = new Map(), now, entries] = [parse(before), next, stored].map(toEntries)
  if (!now || !entries || Array.isArray(next) !== Array.isArray(stored)) return text
  const isChanged = (id: string) => JSON.stringify(known.get(id)) !== JSON.stringify(now.get(id))
  for (const id of known.keys()) if (!now.has(id)) entries.delete(id)
  for (const [id, entry] of now) if (isChanged(id)) entries.set(id, entry)
  return JSON.stringify(Array.isArray(next) ? [...entries.values()] : Object.fromEntries(entries))
}

/** Returns the entries of a list or an object by their ids; `undefined` for other values. */
function toEntries(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return new Map(Object.entries(value))
  const ids = value.map((entry) => entry?.id ?? entry?.target ?? entry?.topic)
  return ids.includes(undefined) ? undefined : new Map(ids.map((id, index) => [String(id), value[index]]))
}

type Transact = <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>) => Promise<T>

const databaseName = 'WALLET_CONNECT_V2_INDEXED_DB'
const storeName = 'keyvaluestorage'

/** Creates a function that runs a request in the database, which it opens when needed, and again after it was lost. */
function createDatabase(): Transact {
  let opening: Promise<IDBDatabase> | undefined
  const forget = (lost: Promise<IDBDatabase>) => {
    if (opening === lost) opening = undefined
    lost.then(
      (database) => database.close(),
      () => {},
    )
  }
  const attempt: Transact = async (mode, act) => {
    opening ??= openDatabase()
    const current = opening
    try {
      const database = await current
      // Another tab may need a new version of the database.
      database.onversionchange = () => forget(current)
      database.onclose = () => forget(current)
      return await run(database, mode, act)
    } catch (thrown) {
      forget(current)
      throw thrown
    }
  }
  // The browser may have closed the connection without an event.
  return (mode, act) => attempt(mode, act).catch(() => attempt(mode, act))
}

function run<T>(database: IDBDatabase, mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>) {
  return new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(storeName, mode)
    const request = act(transaction.objectStore(storeName))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
  })
}

/** Opens the database, and creates its store if that is missing: an interrupted start leaves a database without it. */
async function openDatabase(): Promise<IDBDatabase> {
  const database = await open()
  if (database.objectStoreNames.contains(storeName)) return database
  database.close()
  return open(database.version + 1)
}

function open(version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Frames without storage throw when they read `indexedDB`, or have none.
    const request = indexedDB.open(databaseName, version)
    request.onupgradeneeded = () => {
      if (!request.result.objectStoreNames.contains(storeName)) request.result.createObjectStore(storeName)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
