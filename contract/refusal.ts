/**
 * A refusal: its status and public text, and whether the body leaves its code out (`bare`, where the standard body
 * without errorCode is promised, API-30) or carries another one (`toldAs`, where one code has two statuses, API-31).
 */
type Refusal = { status: number; text: string; bare?: true; toldAs?: string }

/** The refusals of an area, by code. */
export type Refusals = Record<string, Refusal>
