/** The status and the code of an error reply; some have no code. */
export function refusalOf({ status, body }: { status: number; body: unknown }): [number, string | undefined] {
  return [status, (body as { errorCode?: string } | undefined)?.errorCode]
}
