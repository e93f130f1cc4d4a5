/** `node forward.ts ADDRESS PORT TO_ADDRESS TO_PORT`: passes connections on, and prints a line when it listens. */
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream/promises'

const [address, port, toAddress = '', toPort] = process.argv.slice(2)
const server = createServer((socket) => {
  const other = connect(Number(toPort), toAddress)
  // Either end may break off at any moment.
  for (const [from, to] of [
    [socket, other],
    [other, socket],
  ] as const)
    pipeline(from, to).catch(() => undefined)
})
server.listen(Number(port), address, () => console.log('listens'))
