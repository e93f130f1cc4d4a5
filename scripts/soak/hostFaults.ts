import { clockFaults, crashPostgres, findWriter } from './faults.ts'
import type { Hosts } from './hosts.ts'
import type { Step } from './runSteps.ts'
import type { Cluster } from './startCluster.ts'

const allServers = ({ servers }: Cluster) => servers.map(({ host }) => host.name)

/** Faults between hosts: `pnpm soak --hosts --minutes 60`. */
export function createHostFaults(hosts: Hosts): readonly Step[] {
  const end = () => hosts.heal()
  const readers = ['reader-1', 'reader-2']
  const nodes = ['node-1', 'node-2']
  const cutBoth = async (from: readonly string[], to: readonly string[]) => {
    for (const one of from)
      for (const other of to) {
        await hosts.cut(one, other)
        await hosts.cut(other, one)
      }
  }
  const cutOneWay = async (from: readonly string[], to: readonly string[]) => {
    for (const one of from) for (const other of to) await hosts.cut(one, other)
  }
  const nameOfWriter = async (cluster: Cluster) => (await findWriter(cluster)).host.name
  const silent = ['reader_silent', 'stale', 'index_stuck']
  return [
    {
      name: 'the writer cut off from PostgreSQL',
      goesOn: 'yes',
      begin: async (cluster) => cutBoth([await nameOfWriter(cluster)], ['postgres']),
      end,
      seconds: 20,
    },
    {
      name: 'no packet of PostgreSQL reaches the writer',
      goesOn: 'yes',
      begin: async (cluster) => cutOneWay(['postgres'], [await nameOfWriter(cluster)]),
      end,
      seconds: 20,
    },
    {
      name: 'no packet of the writer reaches PostgreSQL',
      goesOn: 'yes',
      begin: async (cluster) => cutOneWay([await nameOfWriter(cluster)], ['postgres']),
      end,
      seconds: 20,
    },
    { name: 'both readers cut off from PostgreSQL', begin: () => cutBoth(readers, ['postgres']), end, said: silent },
    {
      name: 'the writer cut off from a node',
      begin: async (cluster) => cutBoth([await nameOfWriter(cluster)], ['node-1']),
      end,
      said: ['node_silent'],
    },
    {
      name: 'no packet of the nodes reaches the readers',
      begin: () => cutOneWay(nodes, readers),
      end,
      said: ['nodes_unavailable', 'stale', 'index_stuck'],
    },
    {
      name: 'the writer cut off from both nodes',
      begin: async (cluster) => cutBoth([await nameOfWriter(cluster)], nodes),
      end,
      said: ['nodes_unavailable', 'node_silent', 'stale', 'index_stuck'],
    },
    {
      name: 'a server cut off from PostgreSQL',
      begin: () => cutBoth(['server-1'], ['postgres']),
      end,
      said: ['database_unavailable', 'stale'],
      by: [0],
    },
    {
      name: 'no packet of PostgreSQL reaches a server',
      begin: () => cutOneWay(['postgres'], ['server-2']),
      end,
      said: ['database_unavailable', 'stale'],
      by: [1],
    },
    {
      name: 'no packet of a server reaches PostgreSQL',
      begin: () => cutOneWay(['server-1'], ['postgres']),
      end,
      said: ['database_unavailable', 'stale'],
      by: [0],
    },
    { name: 'a server cut off from its visitors', begin: () => cutBoth(['server-1'], ['own']), end },
    {
      name: 'all servers cut off from PostgreSQL',
      begin: (cluster) => cutBoth(allServers(cluster), ['postgres']),
      end,
      said: ['database_unavailable', 'stale'],
    },
    {
      name: 'all servers cut off from each other',
      goesOn: 'yes',
      begin: (cluster) => cutOneWay(allServers(cluster), allServers(cluster)),
      end,
    },
    {
      name: 'PostgreSQL loses one packet in ten',
      begin: () => hosts.lose('postgres', 0.1),
      end,
      seconds: 20,
      lost: 'some',
    },
    {
      name: 'the writer loses one packet in five',
      begin: async (cluster) => hosts.lose(await nameOfWriter(cluster), 0.2),
      end,
      seconds: 20,
    },
    { name: 'a server loses one packet in five', begin: () => hosts.lose('server-1', 0.2), end, seconds: 20 },
    { name: 'PostgreSQL on a line of 256 kbit/s', begin: () => hosts.narrow('postgres', 256), end, seconds: 20 },
    { name: 'a node on a line of 64 kbit/s', begin: () => hosts.narrow('node-1', 64), end, seconds: 20 },
    { name: 'PostgreSQL crashed', begin: crashPostgres, seconds: 1 },
    {
      name: 'PostgreSQL replaced',
      begin: ({ postgres }) => postgres.pause(),
      end: ({ postgres }) => postgres.resume(),
      said: ['database_unavailable'],
      seconds: 10,
    },
    { name: 'the writer killed', goesOn: 'yes', begin: async (cluster) => (await findWriter(cluster)).kill() },
    { name: 'a server killed', begin: ({ servers }) => servers[0]?.kill() },
    {
      name: 'the writer stopped for a while, as by a snapshot of its machine',
      begin: async (cluster) => (await findWriter(cluster)).freeze(),
      end: ({ readers: all }) => all.map((one) => one.thaw()),
      said: silent,
      seconds: 20,
    },
    ...clockFaults(),
  ]
}
