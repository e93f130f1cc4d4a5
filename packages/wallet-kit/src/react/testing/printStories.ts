import { storyNameFromExport, toId } from 'storybook/internal/csf'

/** A state of a dialog, and the stories that show it. */
type State<name extends PropertyKey> = { shows: string; stories: readonly name[] }

/** Names of the stories in a file. */
type StoryName<stories> = Exclude<keyof stories, 'default'>

type Complete<missing> = [missing] extends [never] ? unknown : { 'stories without a row': missing }

/**
 * Returns a function that returns its table of states. The compiler refuses a table without a row for each of `row`, or without a
 * story of the file `stories`.
 */
export const tableOf =
  <stories, row extends string = string>() =>
  <const states extends Record<row, State<StoryName<stories>>>>(
    states: states & Complete<Exclude<StoryName<stories>, states[keyof states & row]['stories'][number]>>,
  ): Record<string, State<string>> =>
    states as Record<string, State<string>>

/**
 * Returns a table of states with links to their stories as Markdown, for the documentation.
 *
 * @param title - Title of the stories' file.
 * @param head - Header of the first column.
 */
export function printStories(title: string, states: Record<string, State<string>>, head: string): string {
  const link = (name: string) => {
    const words = storyNameFromExport(name)
    return `[${words}](?path=/story/${toId(title, words)})`
  }
  const rows = Object.entries(states).map(([name, { shows, stories }]) => [name, shows, stories.map(link).join(', ')])
  return [[head, 'shows', 'stories'], ['---', '---', '---'], ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
