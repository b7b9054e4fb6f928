import { useMutation } from '@tanstack/react-query'
import type { Input, Route } from '#contract/route.ts'
import { CallError, type CallInput } from '#sdk/client.ts'
import { downloadBlob } from '../parts/download.ts'
import { useOrganization } from './organization.tsx'
import { clientOf } from './session.ts'
import { useToasting } from './toasting.ts'

/** Reads a file of the organization with the session token, and hands it to the browser under a name. */
export function useDownload<R extends Route<unknown, unknown>>(operation: R, fileName: string) {
  const { id } = useOrganization()
  return useToasting(
    useMutation<void, CallError, CallInput<Input<R>>>({
      mutationFn: async input => {
        const answer = await clientOf(id).send(operation as Route, input as CallInput<unknown>)
        if (answer.status !== operation.status) throw new CallError(answer)
        downloadBlob(new Blob([answer.bytes], { type: answer.headers.get('content-type') ?? '' }), fileName)
      },
    }),
  )
}
