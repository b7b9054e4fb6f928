/**
 * A refusal: its status and public text, and whether its code is left off the body (`bare`, where the documents promise
 * the standard body without errorCode) or is told as another one (`toldAs`, where they give the same code with two
 * statuses).
 */
type Refusal = { status: number; text: string; bare?: true; toldAs?: string }

/** The refusals of an area, by code. */
export type Refusals = Record<string, Refusal>
