export { recordAccessChange } from './person.access.ts'
export { addressToken } from './personal-tokens/url-credential.ts'
export {
  type AccessFreshness,
  callerIn,
  type LoadedCaller,
  openCallerCache,
} from './sessions/caller-cache.ts'
export { organizationCaller } from './sessions/callers.ts'
export { type AddressedDocument, documentAddress, openerOf } from './sessions/document-address.ts'
export { hasModule, type PlanRow, planColumns } from './sessions/session.sql.ts'
export { openUseRecorder } from './sessions/use-recorder.ts'
export { transactAcross } from './transact-across.ts'
