import { type Community, ConfigError, loadConfig } from '@lineage/communities'
import { describeError } from '@lineage/database'
import { HistoryFileError } from './history/tableFile.ts'
import { listenHttp } from './http.ts'
import { createLog, type Log } from './log.ts'
import { WrongNodeError } from './nodes/openNodes.ts'
import { createReader } from './reader.ts'
import { readLogFormat, readSettings, SettingError, type Settings } from './settings.ts'
import { LostSourceError } from './tables.ts'

/** Exit code after which a supervisor should start the process again. */
const tryAgain = 75

const { env } = process
const [command = 'start'] = process.argv.slice(2)
try {
  if (command !== 'start') throw new SettingError(`Unknown command "${command}": use start.`)
  const format = readLogFormat(env)
  const settings = readSettings(env, 'needed')
  const { communities } = await loadConfig(settings.config)
  await start(settings, communities, createLog(format, [...settings.urls, settings.databaseUrl]))
} catch (error) {
  end(error)
}

async function start(settings: Settings, communities: readonly Community[], log: Log): Promise<void> {
  const reader = createReader({ ...settings, communities, log })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      void reader.stop().finally(() => process.exit(0))
    })
  await listenHttp(settings, reader.state)
  await reader.run()
}

/** Ends the process with the reason. */
function end(error: unknown): never {
  const known = [SettingError, WrongNodeError, HistoryFileError, LostSourceError]
  const [prefix, code] =
    error instanceof ConfigError
      ? ['The configuration is invalid.\n', 1]
      : error instanceof WrongNodeError
        ? ['The nodes cannot be used.\n', 1]
        : error instanceof HistoryFileError
          ? ['The files of LINEAGE_HISTORY cannot be used.\n', 1]
          : error instanceof SettingError
            ? ['', 1]
            : ['', tryAgain]
  const isKnown = error instanceof ConfigError || known.some((one) => error instanceof one)
  console.error(`${prefix}${isKnown ? (error as Error).message : describeError(error)}`)
  process.exit(code as number)
}
