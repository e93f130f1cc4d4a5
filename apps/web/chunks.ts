import type { Rolldown } from 'vite'

/** Modules that every page reaches through index files of viem, react-query and MUI, but few pages use. */
const usedByFew = new RegExp(
  `node_modules/(${[
    '(viem|ox|abitype|@noble|@scure)/',
    '@mui/material/(InputBase|TextareaAutosize|FilledInput)/',
    '@tanstack/[\\w-]+/build/modern/(useQueries|queriesObserver|useMutation|useMutationState|mutationObserver)\\.js$',
  ].join('|')})`,
)

/** Modules of those packages that every page uses: address checksums. */
const usedByAll = new RegExp(
  `node_modules/(${[
    'viem/_esm/errors/(address|base|data|encoding|utils|version)',
    'viem/_esm/utils/(address/(get|is)Address|data/(isHex|pad|size|trim)|encoding/(fromHex|toBytes|toHex)|hash/keccak256|lru)',
    '@noble/hashes/esm/(_u64|crypto|sha3|utils)',
  ].join('|')})\\.js$`,
)

/**
 * Modules of an answer that are shown only after a press, or in few states. Each loads by `import()`, or is imported only by
 * others of them: otherwise each page would make a request for it.
 */
export const shownLater: readonly string[] = [
  'AddressMenu AlertsDialog CardDialog CommunityMenu LabelDialogs RadioMenu ScanDialog WatchDialog layers',
  'kit fallbackTransport syncLabels browserLabels followCommunity',
  'AlertsBell AlertSettings DemoNote Labels NavDrawer Toasts AddressName NameAnswer drawCard toSvg',
  'PastAnswer PastCard PastDownline PastLists PastMember PastMetrics MomentForm DaysForm',
  'AccountData ActionsRow ExampleMembers SearchStart StartFigure Suggestions IndexingView WithheldView',
  'ListPage ListTable ListView parseList readAccounts toListCsv useAddressList',
  'CommunitiesPage DisputePage DisputeSheet PairPage RelationPage toSheetCsv checkHops',
  'BindToReferrer FilterPanel ReferralsTable TeamCompare useWindowRows',
].flatMap((names) => names.split(' '))
const isShownLater = new RegExp(`/src/(.+/)?(${shownLater.join('|')})\\.tsx?$`)

/** Modules of pages without an address that load later than those of the lookup, and those that they share with answers. */
const shownWithoutAnswer =
  /\/src\/(parameters|shared\/(frame\/(DemoBadge|RadioRow|lazyMenu)|labels\/WatchedAddresses|address\/(AddressText|useCopy)|lookup\/Section))\.tsx?$|\/(MoreHoriz|EditNote|WarningAmber)Outlined\.\w+$/

/**
 * Puts the modules that the pages need into few chunks, because on a slow connection each request costs as much as many
 * kilobytes: those of every page, of every lookup without its answer, of every answer, of each lookup's answer, and of what happened in
 * a period.
 */
export function chunkOf(): Rolldown.CodeSplittingNameFunction {
  const frame = new Set<string>()
  const lookup = new Set<string>()
  return (id, graph) => {
    if (usedByFew.test(id) && !usedByAll.test(id)) return null
    if (/\/zustand\//.test(id)) return 'frame'
    const isReached = (from: Set<string>, isFirst: (id: string) => boolean | undefined) => {
      const seen = new Set([id])
      for (const module of seen) {
        if (isFirst(module) || from.has(module)) return from.add(id)
        for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer)
      }
      return undefined
    }
    if (isReached(frame, (one) => graph.getModuleInfo(one)?.isEntry)) return 'frame'
    if (/\/src\/routes\//.test(id)) return null
    if (/\/src\/features\/metrics\/(MetricsView|Totals)\./.test(id)) return 'totals'
    if (isReached(lookup, (one) => /\/src\/routes\/|\/ScanButton\./.test(one))) return 'lookup'
    if (shownWithoutAnswer.test(id)) return 'lookup'
    if (isShownLater.test(id)) return null
    if (/\/src\/shared\/period\/(Activity|Risers)\.tsx$/.test(id)) return 'development'
    if (/\/src\/shared\/period\/\w+\.ts$/.test(id)) return 'period'
    if (
      /\/src\/(lib|shared\/(lookup|address|charts|csv|labels|share|past|frame))\/\w+\.tsx?$|\/(EditNote|Star|StarOutline|Link|OpenInNew|ContentCopy|PhotoCameraBack|WarningAmber)Outlined\.\w+$|nfiniteQuery/.test(
        id,
      )
    )
      return 'answer'
    return /\/src\/features\/(\w+)\/\w+\.tsx?$/.exec(id)?.[1] ?? null
  }
}
