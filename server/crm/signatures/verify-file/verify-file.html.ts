import type { KnownSignature } from '#contract/crm/verify-page.ts'
import { type Html, HtmlPage, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'

const es = {
  title: 'Comprobar un presupuesto firmado',
  how: 'Elige el PDF que se firmó, tal como lo recibiste. Se compara y no se guarda.',
  file: 'Archivo PDF',
  check: 'Comprobar',
  known: 'Firma conocida',
  unknown: 'No conocemos ninguna firma de este archivo',
  why: 'Puede que se haya cambiado, que no se haya firmado, o que se firmara sin PDF.',
  signer: 'Firmado por',
  place: 'Firma',
  placeOf: (number: number, of: number) => `${number} de ${of}`,
  date: 'Fecha',
  budget: 'Presupuesto',
  from: 'Emitido por',
  timeStamp: 'Sello de tiempo',
  stampedBy: (moment: string, authority: string) => `${moment}, de ${authority}: válido`,
  stampDiffers: 'No corresponde a las firmas guardadas',
  id: 'Identificador de la firma',
  fingerprint: 'Huella SHA-256 del archivo',
  another: 'Comprobar otro archivo',
}
const en: typeof es = {
  title: 'Check a signed budget',
  how: 'Choose the signed PDF as you received it. The file is compared and not stored.',
  file: 'PDF file',
  check: 'Check',
  known: 'Known signature',
  unknown: 'This file has no known signature',
  why: 'It may have been changed, not have been signed, or have been signed without a PDF.',
  signer: 'Signed by',
  place: 'Signature',
  placeOf: (number, of) => `${number} of ${of}`,
  date: 'Date',
  budget: 'Budget',
  from: 'Issued by',
  timeStamp: 'Time stamp',
  stampedBy: (moment: string, authority: string) => `${moment}, by ${authority}: valid`,
  stampDiffers: 'Does not fit the stored signatures',
  id: 'Identifier of the signature',
  fingerprint: 'SHA-256 fingerprint of the file',
  another: 'Check another file',
}
const texts: Record<Language, typeof es> = { es, en }

/** The upload form. Works without JavaScript; a file can be dropped on the field. */
export function uploadPage(language: Language): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.title,
    body: html`<p>${t.how}</p>
<form method="post" action="/verify" enctype="multipart/form-data">
<label for="file">${t.file}</label>
<input type="file" id="file" name="file" accept="application/pdf,.pdf" required>
<p><button>${t.check}</button></p>
</form>`,
  })
}

/** The signatures of a file. */
export function resultPage(
  language: Language,
  { documentHash, signatures }: { documentHash: string; signatures: readonly KnownSignature[] },
): HtmlPage {
  const t = texts[language]
  const isKnown = signatures.length > 0
  return new HtmlPage({
    language,
    title: isKnown ? t.known : t.unknown,
    body: html`${isKnown ? signatures.map(signature => signatureTable(language, signature)) : html`<p>${t.why}</p>`}
<p><small>${t.fingerprint}: <code>${documentHash}</code></small></p>
<p><a href="/verify">${t.another}</a></p>`,
  })
}

function signatureTable(language: Language, { signedAt, timeStamp, ...signature }: KnownSignature): Html {
  const t = texts[language]
  const { place } = signature
  const rows = [
    [t.signer, signature.signerName],
    ...(place ? [[t.place, t.placeOf(place.number, place.of)]] : []),
    [t.date, writing[language].moment(signedAt)],
    [t.budget, signature.budgetCode],
    [t.from, signature.organizationName],
    ...(timeStamp
      ? [
          [
            t.timeStamp,
            timeStamp.status === 'VALID'
              ? t.stampedBy(writing[language].moment(timeStamp.stampedAt), timeStamp.authority)
              : t.stampDiffers,
          ],
        ]
      : []),
    [t.id, signature.signatureId],
  ]
  return html`<table>${rows.map(([name, text]) => html`<tr><th scope="row">${name}</th><td>${text}</td></tr>`)}</table>`
}
