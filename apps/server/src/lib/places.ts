/** A network with what its parts hold; the narrowest networks have the holders themselves, in order of their arrival. */
type Network<Holder> = { count: number; parts: Map<string, Network<Holder>>; holders: Map<Holder, number> }

const emptyNetwork = <Holder>(): Network<Holder> => ({ count: 0, parts: new Map(), holders: new Map() })

/**
 * Creates a count of the places that holders take, by the networks that they are in (see `networksOf`). It finds the
 * holder that makes room for a newcomer: the network that holds most loses a place to one that holds less, first among
 * the widest networks, then within the newcomer's. So a network has all places only while no other one wants any.
 *
 * @example
 * const places = createPlaces<Stream>()
 * if (places.count() >= 10_000) places.findLoser(networksOf(visitor))?.end()
 * const leave = places.take(networksOf(visitor), stream)
 */
export function createPlaces<Holder>() {
  const all = emptyNetwork<Holder>()

  /** Returns the networks of a path that exist, the widest first, after the one of all. */
  function follow(path: readonly string[]): Network<Holder>[] {
    const found = [all]
    for (const name of path) {
      const part = found.at(-1)?.parts.get(name)
      if (!part) break
      found.push(part)
    }
    return found
  }

  function leave(path: readonly string[], holder: Holder): void {
    const networks = follow(path)
    const weight = networks.at(-1)?.holders.get(holder)
    if (networks.length <= path.length || weight === undefined) return
    networks.at(-1)?.holders.delete(holder)
    for (const [depth, network] of networks.entries()) {
      network.count -= weight
      if (network.count === 0 && depth > 0) networks[depth - 1]?.parts.delete(path[depth - 1] ?? '')
    }
  }

  return {
    /** Takes places for a holder. Returns a function that frees them, once. */
    take(path: readonly string[], holder: Holder, weight = 1): () => void {
      let network = all
      network.count += weight
      for (const name of path) {
        const part = network.parts.get(name) ?? emptyNetwork()
        network.parts.set(name, part)
        part.count += weight
        network = part
      }
      network.holders.set(holder, weight)
      return () => leave(path, holder)
    },
    /** Returns the number of places that a network has taken, or that all have. */
    count(path: readonly string[] = []): number {
      const networks = follow(path)
      return networks.length > path.length ? (networks.at(-1)?.count ?? 0) : 0
    },
    /** Returns the holder that loses a place if a newcomer gets one; `undefined` if no other would hold more then. */
    findLoser(path: readonly string[]): Holder | undefined {
      let network = all
      for (const name of path) {
        const own = network.parts.get(name)
        const fullest = findFullest(network)
        if (fullest && fullest.count > (own?.count ?? 0) + 1) return findNewest(fullest)
        if (!own) return undefined
        network = own
      }
      return undefined
    },
  }
}

/** Returns the part that holds most; of equal ones the newest. */
function findFullest<Holder>({ parts }: Network<Holder>): Network<Holder> | undefined {
  let fullest: Network<Holder> | undefined
  for (const part of parts.values()) if (part.count >= (fullest?.count ?? 0)) fullest = part
  return fullest
}

/** Returns the newest holder of the part that holds most, and so on. */
function findNewest<Holder>(network: Network<Holder>): Holder | undefined {
  const fullest = findFullest(network)
  return fullest ? findNewest(fullest) : [...network.holders.keys()].at(-1)
}
