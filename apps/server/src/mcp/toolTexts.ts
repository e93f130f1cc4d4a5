import type { JsonId } from '@lineage/referral-api'
import type { LookupId } from '@lineage/referral-api/routes'

/** A page, and the argument behind each parameter of its link. Arguments without a place on the page are not in it. */
type Target = { path: string; query: Record<string, string> }

const ofMember = { community: 'community', address: 'address', asOf: 'asOf', tz: 'tz' }
const ofPair = {
  path: '/referrers?view=relation',
  query: { community: 'community', address: 'a', to: 'b', asOf: 'asOf', tz: 'tz' },
}
export const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]))
export const ofRange = { dayFrom: 'from', dayTo: 'to' }
export const ofTimes = same('joinedFrom', 'joinedTo', 'activeSince')
export const ofFilter = {
  ...same('levelFrom', 'levelTo', 'minTeam', 'minVolume', 'prefix', 'bound', 'grade'),
  ...ofTimes,
}

/** Name of each tool for people, when to choose it rather than another, for agents, and the page that shows its answer. */
export const toolTexts: Record<LookupId & JsonId, { title: string; description: string; page: Target }> = {
  communities: {
    title: 'Communities',
    description:
      'Lists the communities with their ids, number of members, tokens and first blocks. Call it first: most other tools need the id of a community.',
    page: { path: '/metrics?view=communities', query: {} },
  },
  addresses: {
    title: 'An address in all communities',
    description:
      'Says in which communities an address is a member, with its card in each. Use it when you have an address and no community; with a community, use `member`.',
    page: { path: '/search', query: same('address') },
  },
  metrics: {
    title: 'Figures of a community',
    description:
      'Totals of a whole community, its growth in 24 hours, 7 and 30 days, and its top ten by team, directs and volume. With `asOf`, as they were then. `detail: full` adds the daily series, the members on each depth and the distribution of directs. For the team of one member use `member` or `growth`.',
    page: { path: '/metrics', query: same('community', 'asOf', 'tz') },
  },
  map: {
    title: 'Largest legs of a community',
    description:
      'The largest roots of a community with the size and growth of their legs, and the sum of all others. `detail: full` adds the largest legs below them. For one member use `teamMap`; for totals use `metrics`.',
    page: { path: '/metrics', query: same('community', 'by', 'tz') },
  },
  risers: {
    title: 'Teams that grew most',
    description:
      'Lists the members whose teams grew most in a range of days or blocks, by new members, volume or rewards, with ranks that equal ones share. Use `teamRisers` within one team, and `metrics` for the largest teams of all time.',
    page: { path: '/metrics', query: { ...same('community', 'tz'), ...ofRange } },
  },
  activity: {
    title: 'Active members of a community',
    description:
      'Counts the members who were bound, bought or brought a member, by day, week or month. Use `teamActivity` for one team.',
    page: { path: '/metrics', query: same('community', 'tz') },
  },
  search: {
    title: 'Addresses by their start',
    description:
      'Finds members whose address starts with some hex digits. Use it for an incomplete address; with a whole one, use `member` or `addresses`.',
    page: { path: '/search', query: { community: 'community', address: 'q' } },
  },
  roots: {
    title: 'Roots of a community',
    description:
      'Lists the members without a referrer and the placeholders, at the top of all teams, by team, volume or join, with their number. Use `referrals` for those below one of them.',
    page: { path: '/metrics', query: same('community') },
  },
  events: {
    title: 'Newest binds of a community',
    description:
      'Lists the binds of a community with their status, the newest first; with `status`, only irregular ones, for example. Use `memberEvents` for those of one address.',
    page: { path: '/metrics', query: same('community', 'tz') },
  },
  relation: {
    title: 'How two members are related',
    description:
      'Says whether one member is above the other, how many steps apart they are, and the nearest referrer of both; with `asOf`, as it was then. Use `line` to list who stands between them.',
    page: ofPair,
  },
  line: {
    title: 'Who stands between two members',
    description:
      'Lists the members from one member up to the nearest referrer of both, and down to the other. Use `relation` if the number of steps is enough.',
    page: ofPair,
  },
  pairBinds: {
    title: 'Binds in dispute between two teams',
    description:
      'Lists the binds that concern the teams of two members, the oldest first, and for each irregular bind the one that held. Use `memberEvents` for one address.',
    page: { path: '/referrers?view=dispute', query: { ...ofPair.query, ...ofRange } },
  },
  batch: {
    title: 'Many members at once',
    description: 'Cards of up to 500 members in one call, each with its own error. Use `member` for one.',
    page: { path: '/search?view=list', query: same('community') },
  },
  member: {
    title: 'A member',
    description:
      'The card of one member: referrer, root, depth, date of the bind, directs, size of the team, volumes and rewards; with `asOf`, as it was then, and with `amounts: true` its amounts of then. For the amounts of a month use `amounts`. Use `referrers` for the way up, `referrals` for those below, `growth` for the team over time.',
    page: { path: '/', query: ofMember },
  },
  levels: {
    title: 'Levels below a member',
    description:
      'Number of members and volume on each level below a member, a hundred levels at once: `next` is the argument for more. Use `referrals` with `level` to list the members themselves.',
    page: { path: '/', query: ofMember },
  },
  growth: {
    title: 'Growth of a team',
    description:
      'How many members of today’s team joined in each month, week or day, with the running total. Use `compare` for the team at two moments, including those who left.',
    page: { path: '/', query: { ...ofMember, interval: 'interval' } },
  },
  amounts: {
    title: 'Amounts in a range of days',
    description:
      'Own and team volume and rewards of a member in a range of days or blocks, in all and by day, week or month. The team is the one at the end of the range. Use `member` for all time, `compare` for the amounts of each leg.',
    page: { path: '/', query: { ...ofMember, ...ofRange } },
  },
  ranks: {
    title: 'Places of a member',
    description:
      'The place of a member by team and by directs, among the directs of its referrer and in the community. Equal members have the same place. Use `risers` for who grew most.',
    page: { path: '/', query: ofMember },
  },
  teamRisers: {
    title: 'Teams that grew most below a member',
    description:
      'Lists the members of a team whose own teams grew most in a range of days or blocks. Use `risers` for the whole community, `compare` for the direct legs.',
    page: { path: '/', query: { ...ofMember, ...ofRange } },
  },
  teamActivity: {
    title: 'Active members of a team',
    description:
      'Counts the members of a team who were bound, bought or brought a member, by day, week or month. Use `growth` for new members alone.',
    page: { path: '/', query: ofMember },
  },
  compare: {
    title: 'A team at two moments',
    description:
      'Compares a team at two days or blocks: its size, who came, how many left, which legs changed most, and the amounts in between. Use `growth` for a series.',
    page: { path: '/', query: { ...ofMember, ...ofRange } },
  },
  teamMap: {
    title: 'Largest legs of a team',
    description:
      'The largest direct legs of a member with their size and growth, and the sum of the others. `detail: full` adds the largest legs below them. Use `referrals` to list all directs.',
    page: { path: '/referrals?view=map', query: { ...ofMember, by: 'by' } },
  },
  referrals: {
    title: 'Members below a member',
    description:
      'Lists the direct referrals of a member, one level, or the whole downline, in any order, and those who pass filters; with a filter, also their number; with `asOf`, as they were then. Use `levels` for numbers by level, `search` to find an address.',
    page: { path: '/referrals', query: { ...ofMember, ...ofRange, ...same('level', 'sort', 'order'), ...ofFilter } },
  },
  referrers: {
    title: 'The way up from a member',
    description:
      'Lists the referrers of a member from the nearest one up to the root. Use `member` if the referrer alone is enough.',
    page: { path: '/referrers', query: ofMember },
  },
  memberEvents: {
    title: 'Events of an address',
    description:
      'Lists the events of one address, member or not, the newest first: its binds with their status, those that name it as the referrer, volumes and rewards, each with its transaction. Use it as evidence.',
    page: { path: '/search', query: { ...ofMember, kind: 'kind' } },
  },
}
