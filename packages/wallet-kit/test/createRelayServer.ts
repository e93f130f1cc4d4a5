import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

type Message = { topic: string; message: string; tag: number; publishedAt: number; expires: number; seen: Set<string> }
type Params = {
  pairingTopic?: string
  sessionProposal?: string
  sessionTopic?: string
  sessionProposalResponse?: string
  sessionSettlementRequest?: string
  topic?: string
  topics?: string[]
  message?: string
  messages?: Params[]
  ttl?: number
  tag?: number
}

export type RelayServer = {
  url: string
  /** Number of clients that ever connected. */
  connections: () => number
  /** Number of connected clients. */
  open: () => number
  /** Sends a text to every client. */
  send: (text: string) => void
  /** Disconnects every client, with a code if given. */
  drop: (code?: number) => void
  close: () => Promise<void>
}

export type RelayOptions = {
  /** Checks whether a project id is known. Other clients get an error and are disconnected. Default: all are known. */
  knows?: (projectId: string) => boolean
  /** Checks whether to answer a proposal. Default: all. */
  hears?: () => boolean
  /** Checks whether to answer a request with an error. Default: none. */
  refuses?: (method: string) => boolean
}

/**
 * Starts a relay for tests: it forwards encrypted messages to the subscribers of a topic, and stores them for later ones.
 * Clients are identified by the issuer of their token, which stays the same after reconnecting or reloading.
 *
 * @see https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc
 */
export function createRelayServer(
  port = 0,
  { knows = () => true, hears = () => true, refuses = () => false }: RelayOptions = {},
): Promise<RelayServer> {
  const server = new WebSocketServer({ port, host: '127.0.0.1' })
  const mailbox: Message[] = []
  const clients = new Map<WebSocket, { issuer: string; topics: Map<string, string> }>()
  let connections = 0
  let lastId = Date.now()

  const deliver = (socket: WebSocket, topic: string) => {
    const client = clients.get(socket)
    const id = client?.topics.get(topic)
    if (!client || id === undefined) return
    for (const entry of mailbox) {
      if (entry.topic !== topic || entry.seen.has(client.issuer) || entry.expires < Date.now()) continue
      entry.seen.add(client.issuer)
      const { message, publishedAt, tag } = entry
      const data = { topic, message, publishedAt, tag, attestation: '' }
      const params = { id, data }
      socket.send(JSON.stringify({ id: ++lastId, jsonrpc: '2.0', method: 'irn_subscription', params }))
    }
  }

  const publish = (issuer: string, { topic = '', message = '', ttl = 300, tag = 0 }: Params) => {
    // Messages that are sent twice are stored once.
    if (mailbox.some((entry) => entry.topic === topic && entry.message === message)) return true
    const publishedAt = Date.now()
    mailbox.push({ topic, message, tag, publishedAt, expires: publishedAt + ttl * 1000, seen: new Set([issuer]) })
    for (const socket of clients.keys()) deliver(socket, topic)
    return true
  }

  server.on('connection', (socket, { url = '' }) => {
    connections += 1
    const { searchParams } = new URL(url, 'ws://relay')
    // After connecting, like the public relay, because browsers hide the response to a failed handshake from the
    // page.
    if (!knows(searchParams.get('projectId') ?? '')) return socket.close(3000, 'Project not found')
    const token = searchParams.get('auth') ?? ''
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}')
    const client = { issuer: String(iss), topics: new Map<string, string>() }
    clients.set(socket, client)
    const subscribe = (topic: string) => {
      const id = `${topic}-${client.issuer}`
      client.topics.set(topic, id)
      // Answers first, so that the client knows the subscription id.
      setImmediate(() => deliver(socket, topic))
      return id
    }
    const methods: Record<string, (params: Params) => unknown> = {
      irn_subscribe: ({ topic = '' }) => subscribe(topic),
      irn_batchSubscribe: ({ topics = [] }) => topics.map(subscribe),
      irn_unsubscribe: ({ topic = '' }) => client.topics.delete(topic) || true,
      irn_publish: (params) => publish(client.issuer, params),
      irn_batchPublish: ({ messages = [] }) => messages.every((params) => publish(client.issuer, params)),
      // Subscribes to a topic and publishes to it in one request; added in core 2.21.5.
      wc_proposeSession: ({ pairingTopic = '', sessionProposal }) => {
        subscribe(pairingTopic)
        return publish(client.issuer, { topic: pairingTopic, message: sessionProposal, tag: 1100 })
      },
      wc_approveSession: ({ pairingTopic, sessionTopic = '', sessionProposalResponse, sessionSettlementRequest }) => {
        subscribe(sessionTopic)
        publish(client.issuer, { topic: pairingTopic, message: sessionProposalResponse, tag: 1101 })
        return publish(client.issuer, { topic: sessionTopic, message: sessionSettlementRequest, tag: 1102 })
      },
      irn_fetchMessages: () => ({ messages: [], hasMore: false }),
      irn_batchFetchMessages: () => ({ messages: [], hasMore: false }),
    }
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data))
      if (method === 'wc_proposeSession' && !hears()) return
      const error = { code: -32000, message: 'The relay refuses.' }
      if (method && refuses(method)) return socket.send(JSON.stringify({ id, jsonrpc: '2.0', error }))
      const result = method && methods[method]?.(params)
      if (result !== undefined) socket.send(JSON.stringify({ id, jsonrpc: '2.0', result }))
    })
    socket.on('close', () => clients.delete(socket))
    const heartbeat = setInterval(() => socket.ping(), 20_000)
    socket.on('close', () => clearInterval(heartbeat))
  })

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () =>
      resolve({
        url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
        connections: () => connections,
        open: () => clients.size,
        send: (text) => {
          for (const socket of clients.keys()) socket.send(text)
        },
        drop: (code) => {
          for (const socket of clients.keys()) code === undefined ? socket.terminate() : socket.close(code, 'Gone')
        },
        close: () => {
          for (const socket of clients.keys()) socket.terminate()
          return new Promise((closed) => server.close(() => closed()))
        },
      }),
    )
  })
}
