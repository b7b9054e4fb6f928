/**
 * An error code: its status and its public text. `bare`: the body carries no code, where the standard body
 * without errorCode applies (API-30). `wireCode`: the body carries another code, where one code has two
 * statuses (API-31).
 */
type RefusalDefinition = { status: number; text: string; bare?: true; wireCode?: string }

/** The error codes of an area. */
export type Refusals = Record<string, RefusalDefinition>
