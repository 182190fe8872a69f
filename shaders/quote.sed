# SPDX-License-Identifier: Apache-2.0
# A text file as elements of a C array of strings, one per line. Question marks may be trigraphs.
s/[\\"?]/\\&/g
s/.*/"&\\n",/
