/** What an answer refuses with: its status and its code, which some do not have. */
export function refusalOf({ status, body }: { status: number; body: unknown }): [number, string | undefined] {
  return [status, (body as { errorCode?: string } | undefined)?.errorCode]
}
