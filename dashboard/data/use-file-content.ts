import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Input, Route } from '#contract/route.ts'
import { CallError, type CallInput } from '#sdk/client.ts'
import { useOrganization } from './organization.tsx'
import { keyOf } from './read.ts'
import { clientOf } from './session.ts'

/** An operation that makes a temporary address of a file. */
type AddressOperation = Route<unknown, { url: string; contentType: string; filename: string }>

/** The bytes of a file that is read through a temporary address, for a preview. `sha256`: one content never changes. */
export function useFileContent<R extends AddressOperation>(
  operation: R,
  input: CallInput<Input<R>>,
  { sha256, enabled }: { sha256: string; enabled: boolean },
): { blob: Blob | undefined; error: Error | null } {
  const { id } = useOrganization()
  const { data, error } = useQuery({
    queryKey: [...keyOf(id, operation, input), sha256],
    queryFn: async ({ signal }) => {
      const { url } = await clientOf(id).call(operation as AddressOperation, input as CallInput<unknown>)
      return readBytes(url, signal)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    enabled,
  })
  return { blob: data, error }
}

/** Hands a file to the downloads of the browser, which can be larger than the memory of a tab. */
export function useFileDownload<R extends AddressOperation>(
  operation: R,
): (input: CallInput<Input<R>>) => Promise<void> {
  const { id } = useOrganization()
  return async input => {
    const { url, filename } = await clientOf(id).call(
      operation as AddressOperation,
      input as CallInput<unknown>,
    )
    const link = document.createElement('a')
    link.href = ownAddress(url)
    link.download = filename
    link.click()
  }
}

/** An address for an image of the page, which ends with the component. */
export function useBlobUrl(blob: Blob | undefined, contentType: string): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return setUrl(undefined)
    const created = URL.createObjectURL(new Blob([blob], { type: contentType }))
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob, contentType])
  return url
}

/** A server may be reached at several addresses; the page may only read from its own. */
function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return `${pathname}${search}`
}

async function readBytes(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(ownAddress(url), { signal })
  if (response.ok) return response.blob()
  const text = await response.text()
  const { status, headers } = response
  throw new CallError({ status, headers, body: undefined, text, bytes: new Uint8Array() })
}
