import type { ForestData } from '../data/forestData.ts'
import { nodeStatus } from '../data/nodes.ts'
import { DownlineChangedError, QueryTooCostlyError, UnknownMemberError } from '../errors.ts'
import type { MemberId, Slices } from '../types.ts'

/** Number of attempts to compute an answer in slices while downlines change. */
const mostTries = 3

/** Makes a query about one member: it checks the id and updates the data before each answer. */
export function queryMember<parameters extends unknown[], answer>(
  data: ForestData,
  answer: (data: ForestData, node: number, ...parameters: parameters) => answer,
) {
  return (id: MemberId, ...parameters: parameters): answer => {
    if (!isFound(data, id)) throw new UnknownMemberError(id)
    data.aggregates.ensureCurrent()
    return answer(data, id, ...parameters)
  }
}

/** Makes a query about one member whose answer is computed in slices. It starts again if downlines changed meanwhile. */
export function queryInSlices<parameters extends unknown[], answer>(
  data: ForestData,
  answer: (data: ForestData, node: number, ...parameters: parameters) => Slices<answer>,
) {
  return queryMember(data, (_, node, ...parameters: parameters) =>
    tryAgain(
      data,
      () => answer(data, node, ...parameters),
      () => isFound(data, node),
    ),
  )
}

/** Makes a query about the whole forest whose answer is computed in slices. */
export function queryForest<answer>(data: ForestData, answer: () => Slices<answer>): Slices<answer> {
  data.aggregates.ensureCurrent()
  return tryAgain(data, answer, () => true)
}

function* tryAgain<answer>(
  { aggregates }: ForestData,
  answer: () => Slices<answer>,
  isValid: () => boolean,
): Slices<answer> {
  for (let tries = 0; tries < mostTries && isValid(); tries++)
    try {
      aggregates.ensureCurrent()
      return yield* answer()
    } catch (error) {
      if (!(error instanceof DownlineChangedError)) throw error
    }
  throw new QueryTooCostlyError('changes')
}

/** Makes a query about two members: it checks both ids and updates the data before each answer. */
export function queryPair<parameters extends unknown[], answer>(
  data: ForestData,
  answer: (data: ForestData, a: number, b: number, ...parameters: parameters) => answer,
) {
  return (a: MemberId, b: MemberId, ...parameters: parameters): answer => {
    if (!isFound(data, b)) throw new UnknownMemberError(b)
    return queryMember(data, (_, found) => answer(data, found, b, ...parameters))(a)
  }
}

/** Returns whether an id is that of a member or placeholder. */
export function isFound({ nodes }: ForestData, id: MemberId): boolean {
  return Number.isInteger(id) && id >= 0 && id < nodes.length && nodes.status[id] !== nodeStatus.unknown
}
