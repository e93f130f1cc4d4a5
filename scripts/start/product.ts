import type { dataDir } from '../lib/dataDir.ts'
import type { StartSettings } from '../lib/startSettings.ts'
import type { Terminal } from '../lib/terminal.ts'
import type { Processes } from './createProcesses.ts'

/** Values shared by the parts of one start. */
export type Product = {
  /** `dev`: Vite serves the page and reloads it. `built`: the server serves the built page. */
  mode: 'built' | 'dev'
  settings: StartSettings
  /** Address at which people open the page. */
  url: string
  /** Port of the server; in `dev` another one than Vite's, on which people open the page. */
  serverPort: number
  data: ReturnType<typeof dataDir>
  terminal: Terminal
  processes: Processes
}
