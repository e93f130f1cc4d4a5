export { checksumAddress, type ParsedAddress, parseAddress, sentinels, zeroAddress } from './address.ts'
export type {
  AmountSource,
  Asked,
  BindSource,
  CallSource,
  CandidateSource,
  Community,
  Config,
  EventSource,
  Parent,
  ParentView,
  Token,
  UnbindSource,
} from './Community.ts'
export { type ConfigInput, defineCommunities, loadConfig, parseConfig } from './config.ts'
export { ConfigError, type ConfigIssue } from './issues.ts'
export { bindPresets, rewardPresets } from './presets.ts'
export { type KnownEvent, type KnownView, knownEvents, knownViews } from './signatures.ts'
export {
  eventShape,
  fitsShape,
  type LogShape,
  listSources,
  selectorOf,
  sourceIdentity,
  topicOf,
  viewIdentity,
} from './sources.ts'
export { createRedactor, isBrokenConnection, isRateLimit, type NodeUrl, parseNodeUrl } from './urls.ts'
export {
  findUnknownVariables,
  otherVariables,
  type ReaderVariable,
  readerVariables,
  type ServerVariable,
  serverVariables,
} from './variables.ts'
