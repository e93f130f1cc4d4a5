import { storyNameFromExport, toId } from 'storybook/internal/csf'

/** A state of a dialog, and the stories that show it. */
export type State<name extends PropertyKey> = { shows: string; stories: readonly name[] }

/** Names of the stories in a file. */
export type StoryName<stories> = Exclude<keyof stories, 'default'>

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
