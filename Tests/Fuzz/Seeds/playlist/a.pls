[playlist]
File1=a.mp3
Title1=T
Length1=3
