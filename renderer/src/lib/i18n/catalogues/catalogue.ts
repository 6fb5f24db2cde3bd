/** The same words in another language: the same keys, other texts. */
export type Words<T> = { [K in keyof T]: T[K] extends string ? string : Words<T[K]> };
