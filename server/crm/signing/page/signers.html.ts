import { type Html, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import type { RequestSignerRow } from '../../signature-requests/signature-request.row.ts'
import { texts } from './signing-page.texts.ts'

/** All signers of a budget, in order, and which of them has the link; nothing for a single signer. */
export function signerList(
  language: Language,
  signers: readonly RequestSignerRow[],
  linkId: string,
): Html | undefined {
  const own = signers.find(({ link_id }) => link_id === linkId)
  if (!own) return undefined
  const t = texts[language]
  return html`<p>${t.placeOf(own.position, signers.length)}</p>
<ol>${signers.map(signer => html`<li>${signerLine(language, signer, signer === own)}</li>`)}</ol>`
}

function signerLine(
  language: Language,
  { name, signed_name, signed_at }: RequestSignerRow,
  isOwn: boolean,
): string {
  const t = texts[language]
  const shown = signed_name ?? name
  if (signed_at !== null) return t.hasSigned(shown, writing[language].moment(signed_at))
  return isOwn ? t.isYou(shown) : t.hasNotSigned(shown)
}
