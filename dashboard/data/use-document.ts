import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Input, Route } from '#contract/route.ts'
import { CallError, type CallInput } from '#sdk/client.ts'
import { useOrganization } from './organization.tsx'
import { keyOf } from './read.ts'
import { clientOf } from './session.ts'

/**
 * Reads a file of the organization for a frame of the page. `version`: the file is read anew when it changes. The address
 * belongs to this tab and ends with the component.
 */
export function useDocument<R extends Route<unknown, unknown>>(
  operation: R,
  input: CallInput<Input<R>>,
  version: string,
): { url: string | undefined; error: CallError | null } {
  const { id } = useOrganization()
  const { data: blob, error } = useQuery<Blob, CallError>({
    queryKey: [...keyOf(id, operation, input), version],
    queryFn: async () => {
      const answer = await clientOf(id).send(operation as Route, input as CallInput<unknown>)
      if (answer.status !== operation.status) throw new CallError(answer)
      return new Blob([answer.bytes], { type: answer.headers.get('content-type') ?? '' })
    },
    // one version never changes
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: former => former,
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return { url, error }
}
