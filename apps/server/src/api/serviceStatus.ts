import { databaseFaults } from '@lineage/database'
import type { ResponseOf, Status } from '@lineage/referral-api'
import { isBlockingReason } from '@lineage/referral-api/problems'
import { ProblemError } from '../lib/problem.ts'
import { createRedactor } from '../settings/redact.ts'
import type { Services } from './services.ts'

type StatusServices = Pick<Services, 'index' | 'accounts' | 'settings'>

/** Creates the status of the server: that of its index, and the faults that the server itself finds. */
export function createServiceStatus({ index, accounts, settings }: StatusServices) {
  const redact = createRedactor(settings)
  const read = () => redactStatus(index.status(), redact)
  return {
    read(): Status {
      const status = read()
      return { ...status, warnings: [...status.warnings, ...findFaults(accounts.getHealth(), Date.now())] }
    },
    /**
     * Returns the answer of `/v1/ready` while lookups should go to this server, with the faults that do not prevent
     * them. Lookups work without the accounts' database, and other servers probably share it: a load balancer must not
     * remove all of them.
     *
     * @throws {ProblemError} with the reasons why lookups should go to another server
     */
    requireReady(): ResponseOf<'ready'> {
      const { state, progress, note, reasons = [] } = read()
      if (state === 'ready' && !reasons.some(isBlockingReason)) {
        const warnings = findFaults(accounts.getHealth(), Date.now())
        return { status: 'ready', reasons, ...(warnings.length > 0 && { warnings }) }
      }
      const fallback = note ?? (progress ? 'The chain is being indexed.' : 'The index does not answer yet.')
      throw new ProblemError(
        progress ? 'indexing' : 'unavailable',
        reasons.map(({ message }) => message).join(' ') || fallback,
        { reasons, retryAfter: 2, ...(progress && { progress }) },
      )
    },
  }
}

/** Returns a status with secrets removed from all texts. */
function redactStatus(status: Status, redact: (text: string) => string): Status {
  const warnings = status.warnings.map((one) => ({
    ...one,
    node: one.node && redact(one.node),
    message: redact(one.message),
  }))
  const reasons = status.reasons?.map((one) => ({ ...one, message: redact(one.message) }))
  return { ...status, note: status.note && redact(status.note), warnings, ...(reasons && { reasons }) }
}

/** Returns the faults that the server itself finds, each with its age. `now` is in Unix milliseconds. */
export function findFaults(accounts: ReturnType<Services['accounts']['getHealth']>, now: number): Status['warnings'] {
  if (accounts.status !== 'failing') return []
  const why = accounts.fault ? databaseFaults[accounts.fault].text : "the accounts' database fails"
  const message = `Signing in has not worked for ${toAge(now - accounts.since)}: ${why}. See the server's log.`
  return [{ kind: 'accounts_unavailable', message, node: null, community: null }]
}

/**
 * Returns an age as text, in seconds or, from ten minutes on, in minutes.
 *
 * @example toAge(90_000) // '90 s'
 */
function toAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  return seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
