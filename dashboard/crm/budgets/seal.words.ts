import { words } from '../../words/words.ts'

/** The texts of time stamps of signatures, and of sealed documents. */
export const sealTexts = words({
  es: {
    timeStamp: 'Sello de tiempo',
    timeStampVALID: 'Corresponde a la firma',
    timeStampINVALID: 'No corresponde: se cambió lo guardado',
    stampedAt: 'Hora sellada',
    authority: 'Autoridad',
    stampedHash: 'Evidencia sellada',
    downloadTimeStamp: 'Descargar sello de tiempo',
    sealed: 'Documento sellado',
    sealedAbout: 'El documento firmado con el sello electrónico de tu organización dentro del PDF.',
    downloadSealed: 'Descargar documento sellado',
    sealedAt: 'Sellado',
    sealedBy: 'Certificado',
    withTimeStamp: 'Dentro del sello',
    withoutTimeStamp: 'Sin sello de tiempo',
    sealing: 'Se está sellando',
    NO_CERTIFICATE:
      'Espera un certificado: el que había se quitó. Se sella en cuanto subas otro en los ajustes del CRM.',
    CERTIFICATE_NOT_VALID:
      'Espera un certificado: el que hay ha caducado. Se sella en cuanto subas otro en los ajustes del CRM.',
    DOCUMENT_NOT_READ: 'El documento firmado no se puede leer ahora. Se reintenta solo.',
    TIME_STAMP_FAILED: 'La autoridad de sellos de tiempo no responde bien. Se reintenta solo.',
    FAILED: 'No se ha podido sellar. Se reintenta solo.',
  },
  en: {
    timeStamp: 'Time stamp',
    timeStampVALID: 'Fits the signature',
    timeStampINVALID: 'Does not fit: stored data were changed',
    stampedAt: 'Stamped time',
    authority: 'Authority',
    stampedHash: 'Stamped evidence',
    downloadTimeStamp: 'Download time stamp',
    sealed: 'Sealed document',
    sealedAbout: 'The signed document with the electronic seal of your organization inside the PDF.',
    downloadSealed: 'Download sealed document',
    sealedAt: 'Sealed',
    sealedBy: 'Certificate',
    withTimeStamp: 'Inside the seal',
    withoutTimeStamp: 'No time stamp',
    sealing: 'Being sealed',
    NO_CERTIFICATE:
      'Waits for a certificate: the former one was removed. It is sealed when you upload another in the settings of the CRM.',
    CERTIFICATE_NOT_VALID:
      'Waits for a certificate: the current one has expired. It is sealed when you upload another in the settings of the CRM.',
    DOCUMENT_NOT_READ: 'The signed document cannot be read now. Patio tries again by itself.',
    TIME_STAMP_FAILED: 'The time stamp authority does not answer as it should. Patio tries again by itself.',
    FAILED: 'It could not be sealed. Patio tries again by itself.',
  },
})
