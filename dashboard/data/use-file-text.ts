import { useQuery } from '@tanstack/react-query'
import type { Input, Route } from '#contract/route.ts'
import { CallError, type CallInput } from '#sdk/client.ts'
import { type FileText, textOf } from './file-text.rules.ts'
import { useOrganization } from './organization.tsx'
import { keyOf } from './read.ts'
import { clientOf } from './session.ts'

/**
 * Reads a file of the organization as a text. `version`: the content is read anew when it changes. A file is binary if it is
 * not UTF-8, or has a zero byte.
 */
export function useFileText<R extends Route<unknown, unknown>>(
  operation: R,
  input: CallInput<Input<R>>,
  version: string,
  { enabled = true }: { enabled?: boolean } = {},
) {
  const { id } = useOrganization()
  return useQuery<FileText, CallError>({
    queryKey: [...keyOf(id, operation, input), version],
    queryFn: async () => {
      const answer = await clientOf(id).send(operation as Route, input as CallInput<unknown>)
      if (answer.status !== operation.status) throw new CallError(answer)
      return textOf(answer.bytes)
    },
    // one version never changes
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  })
}
